import Crypto
import PerennialPrimitives
import SubscriptionStorage

/// Signs webhooks, as Standard Webhooks describes: `webhook-id`, `webhook-timestamp` and `webhook-signature`, a
/// signature of the three parts of the message by each valid secret.
///
/// - Source: Standard Webhooks specification, 1.0.
struct WebhookSigning: Sendable {
    /// The prefix of the key of an HMAC; base64 follows.
    static let hmacPrefix = "whsec_"
    /// The prefix of a private key of Ed25519.
    static let privateKeyPrefix = "whsk_"
    /// The prefix of a public key of Ed25519.
    static let publicKeyPrefix = "whpk_"
    /// The length of the key of an HMAC that is made here, in bytes.
    private static let keyByteCount = 32

    private enum Key: Sendable {
        case hmac(SymmetricKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    private let keys: [Key]
    /// The texts of the HMAC secrets: RevenueCat's signature has the text as its key.
    private let hmacTexts: [String]
    private let authorization: String?

    /// Makes the signing of an endpoint's secrets; unreadable ones are left out.
    init(_ secrets: [WebhookSecret]) {
        keys = secrets.compactMap { secret in
            switch secret.kind {
            case .hmac: Self.hmacKey(in: secret.text).map { .hmac($0) }
            case .ed25519: Self.privateKey(in: secret.text).map { .ed25519($0) }
            case .authorization: nil
            }
        }
        hmacTexts = secrets.filter { $0.kind == .hmac && Self.hmacKey(in: $0.text) != nil }.map(\.text)
        authorization = secrets.first { $0.kind == .authorization }?.text
    }

    /// Makes the signing of one HMAC key.
    init(_ key: SymmetricKey) {
        keys = [.hmac(key)]
        hmacTexts = []
        authorization = nil
    }

    /// Whether there is a key: an import without secrets leaves none.
    var canSign: Bool { !keys.isEmpty }

    /// The header fields of a message.
    ///
    /// - Parameters:
    ///   - seconds: Real time, in seconds since 1970: receivers refuse old messages.
    ///   - form: The form of the body: `revenuecat` has RevenueCat's signature too.
    func headers(
        id: String,
        seconds: Int64,
        body: [UInt8],
        form: WebhookEndpoint.Form
    ) -> [WebhookRequest.Header] {
        let signed = Array("\(id).\(seconds).".utf8) + body
        let signatures = keys.map { key in
            switch key {
            case .hmac(let key):
                "v1," + Self.base64(Array(HMAC<SHA256>.authenticationCode(for: signed, using: key)))
            case .ed25519(let key):
                // A key that was read can sign.
                "v1a," + ((try? key.signature(for: signed)).map { Self.base64(Array($0)) } ?? "")
            }
        }
        var headers = [
            WebhookRequest.Header("Content-Type", "application/json"), .init("webhook-id", id),
            .init("webhook-timestamp", "\(seconds)"), .init("webhook-signature", signatures.joined(separator: " ")),
        ]
        if form == .revenuecat, let signature = revenueCatSignature(seconds: seconds, body: body) {
            headers.append(signature)
        }
        if let authorization { headers.append(.init("Authorization", authorization)) }
        return headers
    }

    /// RevenueCat's signature: `t=` and the time, and one `v1=` for each HMAC secret.
    ///
    /// Each is the HMAC-SHA256 of the time, a dot and the body, in hexadecimal. The key is the complete text of the
    /// secret, with `whsec_`.
    ///
    /// - Returns: Nil without an HMAC secret.
    /// - Source: Unverified: receivers in public repositories. RevenueCat's page was not read.
    private func revenueCatSignature(seconds: Int64, body: [UInt8]) -> WebhookRequest.Header? {
        guard !hmacTexts.isEmpty else { return nil }
        let signed = Array("\(seconds).".utf8) + body
        let codes = hmacTexts.map { text in
            let key = SymmetricKey(data: Array(text.utf8))
            return "v1=" + HMAC<SHA256>.authenticationCode(for: signed, using: key).hexadecimal
        }
        return .init("X-RevenueCat-Webhook-Signature", (["t=\(seconds)"] + codes).joined(separator: ","))
    }

    /// The key in the text of an HMAC secret: 24 to 64 bytes.
    static func hmacKey(in secret: String) -> SymmetricKey? {
        guard let bytes = bytes(in: secret, after: hmacPrefix), (24...64).contains(bytes.count) else { return nil }
        return SymmetricKey(data: bytes)
    }

    private static func privateKey(in secret: String) -> Curve25519.Signing.PrivateKey? {
        bytes(in: secret, after: privateKeyPrefix).flatMap {
            try? Curve25519.Signing.PrivateKey(rawRepresentation: $0)
        }
    }

    private static func bytes(in secret: String, after prefix: String) -> [UInt8]? {
        secret.hasPrefix(prefix) ? Base64.decode(secret.utf8.dropFirst(prefix.utf8.count), .standard) : nil
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        String(decoding: Base64.encode(bytes, .standard), as: UTF8.self)
    }

    /// A new secret's text.
    static func makeSecret(_ kind: WebhookSecret.Kind) -> String {
        switch kind {
        case .hmac: hmacPrefix + base64(RandomSecret.bytes(keyByteCount))
        case .ed25519, .authorization:
            privateKeyPrefix + base64(Array(Curve25519.Signing.PrivateKey().rawRepresentation))
        }
    }

    /// The public key of an Ed25519 secret, `whpk_…`; nil for other secrets.
    static func publicKey(of secret: WebhookSecret) -> String? {
        guard secret.kind == .ed25519 else { return nil }
        return privateKey(in: secret.text).map { publicKeyPrefix + base64(Array($0.publicKey.rawRepresentation)) }
    }
}
