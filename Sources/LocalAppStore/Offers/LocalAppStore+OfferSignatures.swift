import AppStoreModel
public import AppStoreSigning

extension LocalAppStore {
    /// Accepts offer signatures of these keys, in addition to the key of the catalogue file.
    ///
    /// - Parameter keys: The In-App Purchase keys of the app.
    public mutating func acceptSignatures(by keys: [InAppPurchasePublicKey]) { signatureKeys = keys }

    /// Sets the time of the developer's clock, which is the real time.
    ///
    /// Signatures of offers and requests may then be valid by the store's clock or by this one. Apple's signature
    /// creators accept no time, so after an advance of the store's clock they cannot sign for it.
    ///
    /// - Parameter now: Milliseconds since 1970; `nil` if only the store's clock counts.
    public mutating func setDeveloperTime(_ now: Int64?) { signer.developerNow = now }

    /// Checks a signature by the store's clock, and then by the developer's clock if only the time is invalid.
    ///
    /// - Parameter check: Checks the signature at a time, milliseconds since 1970.
    func judged<Accepted>(_ check: (Int64) -> SignatureCheck<Accepted>) -> SignatureCheck<Accepted> {
        let byStore = check(now)
        guard let refusal = byStore.refusal, refusal.code == .expired || refusal.code == .notYetValid,
            let developerNow = signer.developerNow
        else { return byStore }
        let byDeveloper = check(developerNow)
        return byDeveloper.accepted == nil ? byStore : byDeveloper
    }

    /// All keys whose signatures are accepted.
    var acceptedKeys: [InAppPurchasePublicKey] {
        signatureKeys + [catalog.offersKey?.publicKey].compactMap(\.self)
    }

    /// Checks the signature of a promotional offer in either form, and returns its nonce.
    ///
    /// The first form has `keyId`, `nonce` and `timestamp`; otherwise the signature is a JWS.
    ///
    /// - Throws: `signature_missing`, `signature_nonce_used`, `signature_customer_mismatch`,
    ///   `signature_offer_mismatch`, and the codes of `SignatureRefusal`.
    func promotionalNonce(
        _ offer: PurchaseRequest.Offer,
        _ request: PurchaseRequest,
        account: LedgerIndex<Account>
    ) throws(StoreError) -> String {
        guard let signature = offer.signature, let identifier = offer.identifier else {
            throw Self.signatureMissing("A promotional offer needs the developer's signature.", field: "signature")
        }
        if offer.keyId == nil, offer.nonce == nil, offer.timestamp == nil {
            return try promotionalNonce(ofJWS: signature, identifier, request, account: account)
        }
        guard let keyId = offer.keyId, let nonceText = offer.nonce, let timestamp = offer.timestamp else {
            let field = offer.keyId == nil ? "keyId" : offer.nonce == nil ? "nonce" : "timestamp"
            let message =
                "A version 1 signature requires keyId, nonce and timestamp; a JWS must be sent without them."
            throw Self.signatureMissing(message, field: field)
        }
        let nonce: SignatureNonce
        do { nonce = try SignatureNonce(nonceText) } catch {
            throw Self.refused(code: SignatureRefusal.Code.nonce, error.message, field: "nonce")
        }
        let named = PromotionalOffer(
            productId: request.productId,
            offerIdentifier: identifier,
            appAccountToken: request.appAccountToken
        )
        let signed = PromotionalOfferSignature(
            offer: named,
            keyId: keyId,
            nonce: nonce,
            timestamp: timestamp,
            encodedSignature: signature
        )
        let verifier = PromotionalOfferSignatureVerifier(publicKeys: acceptedKeys)
        let verdict = judged { verifier.check(signed, bundleId: configuration.bundleId, now: $0) }
        if let refusal = verdict.refusal { throw refused(refusal) }
        return try fresh(nonce)
    }

    private func promotionalNonce(
        ofJWS jws: String,
        _ identifier: String,
        _ request: PurchaseRequest,
        account: LedgerIndex<Account>
    ) throws(StoreError) -> String {
        let verified = try accepted(jws, as: PromotionalOfferV2.self)
        guard verified.claims.offerIdentifier == identifier, verified.claims.productId == request.productId else {
            throw Self.offerMismatch
        }
        if let transactionId = verified.claims.transactionId { try check(transactionId, isOf: account) }
        return try fresh(verified.nonce)
    }

    /// Whether the developer grants or denies the introductory offer, with the nonce of the signature.
    ///
    /// - Throws: As ``promotionalNonce(_:_:account:)``.
    func introductoryEligibility(
        _ jws: String,
        productId: String,
        account: LedgerIndex<Account>
    ) throws(StoreError) -> (isAllowed: Bool, nonce: String) {
        let verified = try accepted(jws, as: IntroductoryOfferEligibility.self)
        guard verified.claims.productId == productId else { throw Self.offerMismatch }
        try check(verified.claims.transactionId, isOf: account)
        return (verified.claims.allowIntroductoryOffer, try fresh(verified.nonce))
    }

    private func accepted<Claims: StoreKitRequestClaims>(
        _ jws: String,
        as kind: Claims.Type
    ) throws(StoreError) -> VerifiedStoreKitRequest<Claims> {
        let verifier = StoreKitRequestVerifier(publicKeys: acceptedKeys)
        switch judged({ verifier.check(jws, as: kind, bundleId: configuration.bundleId, now: $0) }) {
        case .accepted(let verified): return verified
        case .refused(let refusal): throw refused(refusal)
        }
    }

    private func check(_ transactionId: String, isOf account: LedgerIndex<Account>) throws(StoreError) {
        guard owner(of: transactionId) == account else {
            let message = "The signature is for another customer: its transactionId is none of this account."
            throw Self.refused(code: .customer, message, field: "signature")
        }
    }

    /// The account of a transaction or an app transaction.
    func owner(of transactionId: String) -> LedgerIndex<Account>? {
        ledger.account(appTransactionId: transactionId)
            ?? ledger.transaction(id: transactionId).map { ledger[$0].account }
    }

    private func fresh(_ nonce: SignatureNonce) throws(StoreError) -> String {
        guard !ledger.usedNonces.contains(nonce.text) else {
            let message = "The signature was already redeemed; sign again with a new nonce."
            throw StoreError(.signatureNonceUsed, message, path: "offer.signature")
        }
        return nonce.text
    }

    private func refused(_ refusal: SignatureRefusal) -> StoreError {
        var message = refusal.message
        if refusal.code == .expired || refusal.code == .notYetValid { message += " The store's clock shows \(now)." }
        return Self.refused(code: refusal.code, message, field: "signature")
    }

    private static func refused(code: SignatureRefusal.Code, _ message: String, field: String) -> StoreError {
        let code = StoreError.Code(rawValue: code.rawValue)
        return StoreError(code, message, path: "offer.\(field)")
    }

    private static func signatureMissing(_ message: String, field: String) -> StoreError {
        StoreError(.signatureMissing, message, path: "offer.\(field)")
    }

    private static var offerMismatch: StoreError {
        refused(code: .offer, "The signature is for another product or offer.", field: "signature")
    }
}

extension SignatureRefusal.Code {
    /// The signature is for another customer.
    fileprivate static let customer = Self(rawValue: StoreError.Code.signatureCustomerMismatch.rawValue)
    /// The signature is for another product or offer.
    fileprivate static let offer = Self(rawValue: StoreError.Code.signatureOfferMismatch.rawValue)
}
