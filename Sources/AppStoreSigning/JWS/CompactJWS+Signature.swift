import Crypto

extension CompactJWS {
    /// Whether the signature (raw r and s, 64 bytes) is the key's over header and payload as sent.
    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        guard
            let raw = Base64.decode(signature, .url),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
        else { return false }
        return key.isValidSignature(signature, for: digest())
    }

    private func digest() -> SHA256Digest {
        var hash = SHA256()
        signingInput.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize()
    }
}
