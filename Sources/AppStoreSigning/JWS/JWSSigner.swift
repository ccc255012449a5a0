public import Crypto
import PerennialPrimitives

/// Signs payloads as compact JWS with ES256, as the App Store does.
///
/// The header with the certificate chain is most of a transaction's JWS; it is encoded and hashed once.
public struct JWSSigner: Sendable {
    /// The header with the dot after it.
    private let encodedHeader: [UInt8]
    /// The SHA-256 state after these: each signature continues from it.
    private let headerHash: SHA256
    private let key: P256.Signing.PrivateKey
    /// Creates the signature instead of the key; nil for the cryptographic library.
    private let ownSignature: (@Sendable ([UInt8]) throws -> [UInt8])?

    /// Makes a signer that includes a certificate chain.
    ///
    /// - Parameters:
    ///   - chain: The certificates in DER, leaf first.
    ///   - key: The leaf's key.
    public init(chain: [[UInt8]], key: P256.Signing.PrivateKey) {
        self.init(chain: chain, key: key, ownSignature: nil)
    }

    /// Makes a signer with a custom signature function, for tests: it returns two numbers of 32 bytes for the whole
    /// text.
    package init(
        chain: [[UInt8]],
        key: P256.Signing.PrivateKey,
        ownSignature: (@Sendable ([UInt8]) throws -> [UInt8])?
    ) {
        let certificates = chain.map { certificate in
            "\"" + String(decoding: Base64.encode(certificate, .standard), as: UTF8.self) + "\""
        }
        self.init(
            headerJSON: "{\"alg\":\"ES256\",\"x5c\":[\(certificates.joined(separator: ","))]}",
            key: key,
            ownSignature: ownSignature
        )
    }

    /// Makes a signer with a custom header, for tokens and for tests that need an invalid one.
    package init(
        headerJSON: String,
        key: P256.Signing.PrivateKey,
        ownSignature: (@Sendable ([UInt8]) throws -> [UInt8])? = nil
    ) {
        let encodedHeader = Base64.encode(Array(headerJSON.utf8), .url) + [UInt8(ascii: ".")]
        var hash = SHA256()
        hash.update(data: encodedHeader)
        self.encodedHeader = encodedHeader
        headerHash = hash
        self.key = key
        self.ownSignature = ownSignature
    }

    /// Signs a payload.
    ///
    /// - Parameter payload: JSON in UTF-8.
    /// - Returns: Header, payload and signature in base64url, between dots.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func sign(payload: [UInt8]) throws(SigningError) -> String {
        let text = signingInput(payload)
        do {
            if let ownSignature { return signed(text, try ownSignature(text)) }
            var hash = headerHash
            text.withUnsafeBytes {
                hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[encodedHeader.count...]))
            }
            return signed(text, Array(try key.signature(for: hash.finalize()).rawRepresentation))
        } catch {
            throw .refused
        }
    }

    /// Signs several payloads, one after another.
    ///
    /// - Parameter payloads: JSON in UTF-8.
    /// - Returns: The compact JWS of each, in order.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func sign(payloads: [[UInt8]]) throws(SigningError) -> [String] {
        var all: [String] = []
        all.reserveCapacity(payloads.count)
        for payload in payloads { all.append(try sign(payload: payload)) }
        return all
    }

    /// The signed part: the header and the payload in base64url, with a dot between them.
    private func signingInput(_ payload: [UInt8]) -> [UInt8] {
        Base64.encode(payload, after: encodedHeader, room: Self.signatureCharacters + 1, .url)
    }

    /// Two numbers of 32 bytes in base64url.
    private static let signatureCharacters = 86

    private func signed(_ input: consuming [UInt8], _ signature: [UInt8]) -> String {
        input.append(UInt8(ascii: "."))
        Base64.append(signature, to: &input, .url)
        return String(decoding: input, as: UTF8.self)
    }
}

extension SigningError {
    fileprivate static var refused: SigningError {
        SigningError(code: .signingFailed, message: "The payload could not be signed with this key.")
    }
}
