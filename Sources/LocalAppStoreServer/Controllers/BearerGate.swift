import AppStoreModel
import AppStoreSigning
import HTTPTypes
import Hummingbird
import LocalAppStore
import NIOCore

/// Checks the bearer token before every other check of a call of Apple's API.
struct BearerGate: Sendable {
    let keyring: ClientKeyring
    let bundleId: String

    /// The real time, seconds since 1970.
    let realSeconds: @Sendable () -> Int64

    /// The answer to a call without a valid token; `nil` if the token is valid.
    ///
    /// A token may be valid by real time or by the store's virtual time. Client libraries use the real time; a server
    /// that follows the store's clock uses the virtual time.
    ///
    /// - Parameter virtualSeconds: The store's time, seconds since 1970.
    func refusal(_ request: Request, virtualSeconds: Int64) -> Response? {
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer ") else {
            return Self.unauthenticated()
        }
        let token = String(header.dropFirst("Bearer ".count))
        let times = [realSeconds(), virtualSeconds]
        let check = keyring.check
        for now in times where check.accepted.contains(token, at: now) { return nil }
        for now in times {
            guard let claims = check.verifier.check(token, bundleIds: [bundleId], now: now).claims else { continue }
            check.accepted.insert(token, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt)
            return nil
        }
        return Self.unauthenticated()
    }

    /// Whether a call of App Store Connect has a valid token; such tokens name no app.
    ///
    /// - Parameter virtualSeconds: The store's time, seconds since 1970.
    func acceptsForAppStoreConnect(_ request: Request, virtualSeconds: Int64) -> Bool {
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer ") else { return false }
        let token = String(header.dropFirst("Bearer ".count))
        let verifier = keyring.check.verifier
        return [realSeconds(), virtualSeconds].contains { now in
            verifier.checkForAppStoreConnect(token, now: now).claims != nil
        }
    }

    /// Apple's 401 is plain text, not an error object.
    static func unauthenticated() -> Response {
        let requestId = String(UInt64.random(in: .min ... .max), radix: 16, uppercase: true)
        return Response(
            status: .unauthorized,
            headers: [.contentType: "text/plain"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "Unauthenticated\n\nRequest ID: \(requestId)\n"))
        )
    }
}
