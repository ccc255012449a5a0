import AppStoreModel
import AppStoreSigning
import HTTPTypes
import Hummingbird
import LocalAppStore
import NIOCore

/// Checks the bearer token before anything else of a call to Apple's surface.
struct BearerGate: Sendable {
    let verifier: BearerTokenVerifier
    let bundleId: String

    /// The real time, seconds since 1970.
    let realSeconds: @Sendable () -> Int64

    private let accepted = AcceptedTokens()

    init(verifier: BearerTokenVerifier, bundleId: String, realSeconds: @escaping @Sendable () -> Int64) {
        self.verifier = verifier
        self.bundleId = bundleId
        self.realSeconds = realSeconds
    }

    /// The answer to a call without a good token; `nil` when the token is good.
    ///
    /// A token is judged by real time, since a client library knows no other, and then by the store's virtual time,
    /// since a server that follows the store's clock signs by that.
    ///
    /// - Parameter virtualSeconds: The store's instant, seconds since 1970.
    func refusal(_ request: Request, virtualSeconds: Int64) -> Response? {
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer ") else {
            return Self.unauthenticated()
        }
        let token = String(header.dropFirst("Bearer ".count))
        let times = [realSeconds(), virtualSeconds]
        for now in times where accepted.contains(token, at: now) { return nil }
        for now in times {
            guard let claims = verifier.check(token, bundleIds: [bundleId], now: now).claims else { continue }
            accepted.insert(token, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt)
            return nil
        }
        return Self.unauthenticated()
    }

    /// Whether a call to App Store Connect has a good token; such tokens name no app.
    ///
    /// - Parameter virtualSeconds: The store's instant, seconds since 1970.
    func acceptsForAppStoreConnect(_ request: Request, virtualSeconds: Int64) -> Bool {
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer ") else { return false }
        let token = String(header.dropFirst("Bearer ".count))
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
