public import Crypto

/// Signs payloads as compact JWS with ES256, the way the App Store does.
///
/// The header, which holds the certificate chain and is most of a transaction's JWS, is encoded and hashed once.
public struct JWSSigner: Sendable {
    /// The header with the dot after it.
    private let encodedHeader: [UInt8]
    /// SHA-256 fed with these: each signature goes on from here.
    private let headerHash: SHA256
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
        let encodedHeader = Base64.encode(Array(headerJSON.utf8), .url) + [UInt8(ascii: ".")]
        var hash = SHA256()
        hash.update(data: encodedHeader)
        self.encodedHeader = encodedHeader
        headerHash = hash
        self.key = key
        self.isDeterministic = isDeterministic
    }

    /// Signs a payload.
    ///
    /// - Parameter payload: JSON in UTF-8.
    /// - Returns: Header, payload and signature in base64url, between dots.
    /// - Throws: `signing_failed` when the cryptographic library refuses.
    public func sign(payload: [UInt8]) throws(SigningError) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(encodedHeader.count + (payload.count + 2) / 3 * 4 + Self.signatureCharacters + 1)
        text.append(contentsOf: encodedHeader)
        Base64.append(payload, to: &text, .url)
        let signature = try rawSignature(for: text)
        text.append(UInt8(ascii: "."))
        Base64.append(signature, to: &text, .url)
        return String(decoding: text, as: UTF8.self)
    }

    /// Two numbers of 32 bytes in base64url.
    private static let signatureCharacters = 86

    private func rawSignature(for text: [UInt8]) throws(SigningError) -> [UInt8] {
        do {
            if isDeterministic {
                return try DeterministicECDSA<DeterministicP256>.signature(
                    for: text,
                    key: Array(key.rawRepresentation)
                )
            }
            var hash = headerHash
            text.withUnsafeBytes {
                hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[encodedHeader.count...]))
            }
            return Array(try key.signature(for: hash.finalize()).rawRepresentation)
        } catch {
            throw SigningError(code: .signingFailed, message: "The payload could not be signed with this key.")
        }
    }
}
