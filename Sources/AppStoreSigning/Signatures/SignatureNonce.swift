/// The nonce of a signature, a UUID in lower case.
///
/// StoreKit sends a nonce as a UUID, which is case-insensitive, but the signature covers its lower-case text. An
/// upper-case nonce is a common reason for a refused offer, so this type allows only lower case.
///
/// - Source: StoreKit, Generating a signature for promotional offers, `nonce`.
public struct SignatureNonce: Hashable, Sendable {
    /// The UUID in lower case, with hyphens.
    public let text: String

    /// Parses a UUID in either case.
    ///
    /// - Throws: `nonce_malformed` if the text is not a UUID.
    public init(_ text: String) throws(SigningError) {
        let bytes = Array(text.utf8.prefix(37))
        let isUUID =
            bytes.count == 36
            && bytes.indices.allSatisfy { index in
                Self.hyphens.contains(index) ? bytes[index] == UInt8(ascii: "-") : bytes[index].isHexadecimalDigit
            }
        guard isUUID else {
            throw SigningError(
                code: .nonceMalformed,
                message: "A nonce is a UUID, such as 3beb0bb9-7d3e-4f0c-9d1f-7f6a4a0b6f3e; make a new one each time."
            )
        }
        self.text = text.lowercased()
    }

    /// Makes a new nonce: a random UUID (version 4).
    public static func random() -> SignatureNonce {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Makes a new nonce from a random number generator, for repeatable tests.
    public static func random(using generator: inout some RandomNumberGenerator) -> SignatureNonce {
        let halves: [UInt64] = [generator.next(), generator.next()]
        var bytes = halves.flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) } }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text: [UInt8] = []
        for byte in bytes {
            if hyphens.contains(text.count) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
        return SignatureNonce(known: String(decoding: text, as: UTF8.self))
    }

    private init(known text: String) {
        self.text = text
    }

    private static let hyphens: Set<Int> = [8, 13, 18, 23]
    private static let digits = Array("0123456789abcdef".utf8)
}

extension SignatureNonce: CustomStringConvertible {
    /// The UUID in lower case.
    public var description: String { text }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default:
            false
        }
    }
}
