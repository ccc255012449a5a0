public import Crypto

/// Signs payloads as compact JWS with ES256, the way the App Store does.
///
/// The header, which holds the certificate chain and is most of a JWS, is encoded once.
public struct JWSSigner: Sendable {
    private let encodedHeader: [UInt8]
    private let key: P256.Signing.PrivateKey

    /// Makes a signer that sends a certificate chain along.
    ///
    /// - Parameters:
    ///   - chain: The certificates in DER, leaf first.
    ///   - key: The leaf's key.
    public init(chain: [[UInt8]], key: P256.Signing.PrivateKey) {
        let certificates = chain.map { certificate in
            "\"" + String(decoding: Base64.encode(certificate, .standard), as: UTF8.self) + "\""
        }
        self.init(headerJSON: "{\"alg\":\"ES256\",\"x5c\":[\(certificates.joined(separator: ","))]}", key: key)
    }

    /// Makes a signer with a header of its own, for tokens and for tests that need a broken one.
    package init(headerJSON: String, key: P256.Signing.PrivateKey) {
        self.encodedHeader = Base64.encode(Array(headerJSON.utf8), .url)
        self.key = key
    }

    /// Signs a payload.
    ///
    /// - Parameter payload: JSON in UTF-8.
    /// - Returns: Header, payload and signature in base64url, between dots.
    /// - Throws: `signing_failed` when the cryptographic library refuses.
    public func sign(payload: [UInt8]) throws(SigningError) -> String {
        var text = encodedHeader
        text.reserveCapacity(encodedHeader.count + payload.count * 4 / 3 + 96)
        text.append(UInt8(ascii: "."))
        text.append(contentsOf: Base64.encode(payload, .url))
        let signature: P256.Signing.ECDSASignature
        do {
            signature = try key.signature(for: SHA256.hash(data: text))
        } catch {
            throw SigningError(code: .signingFailed, message: "The payload could not be signed with this key.")
        }
        text.append(UInt8(ascii: "."))
        text.append(contentsOf: Base64.encode(Array(signature.rawRepresentation), .url))
        return String(decoding: text, as: UTF8.self)
    }
}
