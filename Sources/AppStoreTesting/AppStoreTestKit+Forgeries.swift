import AppStoreModel
public import AppStoreSigning
import AppStoreTestAuthorities
import Crypto
import PerennialPrimitives

extension AppStoreTestKit {
    /// The same data, forged.
    ///
    /// - Returns: A compact JWS that every verifier must refuse.
    /// - Throws: `certificate_not_made` or `signing_failed` if the forgery cannot be created.
    public func forge<Payload>(_ forgery: Forgery, of minted: Minted<Payload>) throws(SigningError) -> String {
        let json = minted.payload.json
        let payload = json.serialize()
        let signedDate = json["signedDate"]?.truncatedInteger ?? json["receiptCreationDate"]?.truncatedInteger ?? now
        switch forgery {
        case .foreignRoot:
            return try TestAuthority().signer.sign(payload: payload)
        case .expiredCertificate:
            let end = (signedDate / 1000).subtracting(86_400)
            let validity = CertificateValidity(notBefore: end.subtracting(365 * 86_400), notAfter: end)
            return try sign(payload) { $0.leafValidity = validity }
        case .certificateNotYetValid:
            let start = (signedDate / 1000).adding(86_400)
            let validity = CertificateValidity(notBefore: start, notAfter: start.adding(365 * 86_400))
            return try sign(payload) { $0.leafValidity = validity }
        case .missingMarker:
            return try sign(payload) { $0.leafHasMarker = false }
        case .singleCertificate:
            return try signer(Array(authority.chain.certificates.prefix(1))).sign(payload: payload)
        case .foreignKey:
            let signer = JWSSigner(chain: authority.chain.certificates, key: P256.Signing.PrivateKey())
            return try signer.sign(payload: payload)
        case .changedPayload:
            return minted.jws.replacingPayload(with: payload + [UInt8(ascii: " ")])
        case .unsigned:
            return minted.jws.replacingHeader(with: Array("{\"alg\":\"none\",\"typ\":\"JWT\"}".utf8))
        case .truncated:
            return String(minted.jws.prefix { $0 != "." })
        }
    }

    /// The same notification, forged; its inner signatures stay valid.
    ///
    /// - Returns: A compact JWS that every verifier must refuse.
    /// - Throws: `certificate_not_made` or `signing_failed` if the forgery cannot be created.
    public func forge(_ forgery: Forgery, of notification: MintedNotification) throws(SigningError) -> String {
        try forge(forgery, of: notification.envelope)
    }

    /// Signs with a different chain that has the same keys and root.
    private func sign(
        _ payload: [UInt8],
        _ change: (inout TestChainRecipe) -> Void
    ) throws(SigningError) -> String {
        var recipe = TestChainRecipe()
        change(&recipe)
        let chain = try TestChain(keys: authority.keys, recipe: recipe)
        return try signer(chain.certificates).sign(payload: payload)
    }

    private func signer(_ chain: [[UInt8]]) throws(SigningError) -> JWSSigner {
        do {
            return JWSSigner(chain: chain, key: try P256.Signing.PrivateKey(pemRepresentation: authority.keys.leafPEM))
        } catch {
            throw SigningError(code: .keyMalformed, message: "The authority's own leaf key cannot be read.")
        }
    }
}

extension String {
    /// A JWS with another payload under the same signature.
    fileprivate func replacingPayload(with payload: [UInt8]) -> String {
        replacing(segment: 1, with: payload)
    }

    /// A JWS with another header under the same signature.
    fileprivate func replacingHeader(with header: [UInt8]) -> String {
        replacing(segment: 0, with: header)
    }

    private func replacing(segment index: Int, with bytes: [UInt8]) -> String {
        var segments = split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard segments.indices.contains(index) else { return self }
        segments[index] = String(decoding: Base64.encode(bytes, .url), as: UTF8.self)
        return segments.joined(separator: ".")
    }
}
