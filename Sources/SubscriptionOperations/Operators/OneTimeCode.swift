import Crypto
import Foundation
import PerennialPrimitives
package import SubscriptionCore

/// One-time codes by time: RFC 6238 with SHA-1, six digits and steps of 30 seconds, which every app for codes knows.
package enum OneTimeCode {
    /// The number of bytes of a secret: as many as a SHA-1 has, as RFC 4226 recommends.
    private static let secretByteCount = 20
    private static let stepMilliseconds: Int64 = 30_000
    private static let digitCount = 6
    /// How many steps a clock may be ahead or behind.
    private static let stepsAside: Int64 = 1

    /// A new random secret.
    package static func makeSecret() -> [UInt8] { RandomSecret.bytes(secretByteCount) }

    /// The step of a time.
    package static func step(at time: Timestamp) -> Int64 { time.milliseconds / stepMilliseconds }

    /// The code of a step, or of any counter (RFC 4226).
    package static func code(of step: Int64, secret: [UInt8], digits: Int = digitCount) -> String {
        let counter = withUnsafeBytes(of: step.bigEndian) { Array($0) }
        let key = SymmetricKey(data: secret)
        let code = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: key))
        let offset = Int(code[code.count - 1] & 0x0F)
        let number = code[offset..<offset + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(1 as UInt32) { product, _ in product * 10 }
        let text = String(number % modulus)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }

    /// The step whose code this is: the current one or the one before or after it, and later than the last accepted
    /// one. Nil if the code is none of them.
    ///
    /// - Parameters:
    ///   - now: Real time.
    ///   - last: The last accepted step; nil for none.
    package static func step(
        of code: String,
        secret: [UInt8],
        at now: Timestamp,
        after last: Int64?
    ) -> Int64? {
        let current = step(at: now)
        var found: Int64?
        // A later step was accepted while the clock was ahead. It must not lock the person out until then.
        let last = last.flatMap { $0 > current + stepsAside ? nil : $0 }
        // Each step is compared, so that the time does not depend on the code.
        for step in (current - stepsAside)...(current + stepsAside) {
            let matches = Self.code(of: step, secret: secret).utf8.equalsInConstantTime(code.utf8)
            if matches, found == nil, last.map({ step > $0 }) ?? true { found = step }
        }
        return found
    }

    /// The address that an app for codes reads, mostly as a QR code.
    package static func address(of name: String, secret: [UInt8]) -> String {
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let unreserved = CharacterSet(charactersIn: letters + "0123456789-._~")
        let label = name.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "operator"
        return "otpauth://totp/Perennial:\(label)?secret=\(Base32.encode(secret))&issuer=Perennial"
    }
}
