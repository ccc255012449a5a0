public import Crypto

/// Signs payloads as compact JWS with ES256, the way the App Store does.
///
/// The header, which holds the certificate chain and is most of a JWS, is encoded once.
public struct JWSSigner: Sendable {
    private let encodedHeader: [UInt8]
    private let key: P256.Signing.PrivateKey
    private let isDeterministic: Bool

    /// Makes a signer that sends a certificate chain along.
    ///
    /// - Parameters:
    ///   - chain: The certificates in DER, leaf first.
    ///   - key: The leaf's key.
    ///   - isDeterministic: Whether the same payload has the same signature every time (RFC 6979). For tests and local
    ///     stores only: it is slow, and the time it takes depends on the key.
    public init(chain: [[UInt8]], key: P256.Signing.PrivateKey, isDeterministic: Bool = false) {
        let certificates = chain.map { certificate in
            "\"" + String(decoding: Base64.encode(certificate, .standard), as: UTF8.self) + "\""
        }
        self.init(
            headerJSON: "{\"alg\":\"ES256\",\"x5c\":[\(certificates.joined(separator: ","))]}",
            key: key,
            isDeterministic: isDeterministic
        )
    }

    /// Makes a signer with a header of its own, for tokens and for tests that need a broken one.
    package init(headerJSON: String, key: P256.Signing.PrivateKey, isDeterministic: Bool = false) {
        self.encodedHeader = Base64.encode(Array(headerJSON.utf8), .url)
        self.key = key
        self.isDeterministic = isDeterministic
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
        let signature = try rawSignature(for: text)
        text.append(UInt8(ascii: "."))
        text.append(contentsOf: Base64.encode(signature, .url))
        return String(decoding: text, as: UTF8.self)
    }

    private func rawSignature(for text: [UInt8]) throws(SigningError) -> [UInt8] {
        do {
            if isDeterministic {
                return try DeterministicECDSA<DeterministicP256>.signature(
                    for: text,
                    key: Array(key.rawRepresentation)
                )
            }
            return Array(try key.signature(for: SHA256.hash(data: text)).rawRepresentation)
        } catch {
            throw SigningError(code: .signingFailed, message: "The payload could not be signed with this key.")
        }
    }
}
