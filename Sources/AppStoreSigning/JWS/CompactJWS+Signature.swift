import Crypto

extension CompactJWS {
    /// Whether the signature (raw r and s, 64 bytes) is the key's over header and payload as sent.
    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        isSigned(by: key, digest: SHA256.hash(data: signingInput))
    }

    /// Whether the signature is the chain's, whose header is this one's.
    func isSigned(by header: VerifiedHeader) -> Bool {
        var hash = header.hash
        payload.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return isSigned(by: header.chain.leafKey, digest: hash.finalize())
    }

    private func isSigned(by key: P256.Signing.PublicKey, digest: SHA256Digest) -> Bool {
        guard
            let raw = Base64.decode(signature, .url),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
        else { return false }
        return key.isValidSignature(signature, for: digest)
    }
}
