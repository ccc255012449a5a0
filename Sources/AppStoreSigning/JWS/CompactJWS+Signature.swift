import Crypto
import PerennialPrimitives

extension CompactJWS {
    /// Whether the signature (raw r and s, 64 bytes) by the key covers header and payload as sent.
    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        isSigned(by: key, digest: SHA256.hash(data: signingInput))
    }

    /// The digest of the signed part of a JWS with this header.
    func digest(after header: VerifiedHeader) -> SHA256Digest {
        var hash = header.hash
        payload.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize()
    }

    /// Whether the signature by the key covers the digest.
    func isSigned(by key: P256.Signing.PublicKey, digest: SHA256Digest) -> Bool {
        guard
            let raw = Base64.decode(signature, .url),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
        else { return false }
        return key.isValidSignature(signature, for: digest)
    }
}
