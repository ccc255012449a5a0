extension LocalAppStore {
    /// A purchase that redeems an offer with codes.
    struct CodeRedemption {
        let offer: OfferCodeLedger.Offer
        /// The code and its position; absent if the purchase names only the offer.
        var code: (text: String, position: OfferCodeLedger.Position)?
    }

    /// Determines the offer that a purchase redeems, and sets its name in the purchase; `nil` for other purchases.
    ///
    /// - Throws: `field_not_applicable`, `offer_code_invalid`, `offer_code_not_found`, `offer_code_product_mismatch`,
    ///   `offer_code_offer_mismatch`, `offer_code_inactive`, `offer_code_expired`, `offer_code_redeemed`,
    ///   `offer_already_redeemed`.
    func redemption(
        in request: inout PurchaseRequest,
        by account: LedgerIndex<Account>
    ) throws(StoreError) -> CodeRedemption? {
        guard let offer = request.offer else { return nil }
        try offer.checkMembers()
        guard offer.type == "offer_code" else {
            guard offer.code == nil else {
                let message = "Only offers of the type offer_code have codes; leave the code out."
                throw StoreError(.offerCodeInvalid, message, path: "offer.code")
            }
            return nil
        }
        var code: (text: String, position: OfferCodeLedger.Position)?
        if let text = offer.code?.uppercased() {
            let position = try redeemable(text, offer, for: request.productId)
            request.offer?.identifier = ledger.offerCodes.batches[position.batch].offer
            code = (text, position)
        }
        guard let name = request.offer?.identifier else { return nil }
        let redemption = CodeRedemption(offer: .init(productId: request.productId, name: name), code: code)
        guard !ledger.offerCodes.hasRedeemed(redemption.offer, account) else {
            let message = "The customer has redeemed \"\(name)\" before; each customer redeems one code of an offer."
            throw StoreError(.offerAlreadyRedeemed, message, path: "offer")
        }
        return redemption
    }

    /// Records that a purchase redeemed an offer.
    mutating func note(
        _ redemption: CodeRedemption,
        of account: LedgerIndex<Account>,
        transaction: LedgerIndex<Transaction>
    ) {
        let redeemed = OfferCodeLedger.Redemption(
            date: now,
            offer: redemption.offer,
            code: redemption.code?.text,
            territory: ledger[account].storefront.twoLetterCountry,
            isOfSubscription: ledger[transaction].subscription != nil
        )
        ledger.offerCodes.note(redeemed, of: account)
        guard let code = redemption.code else { return }
        let noted = OfferCodeBatch.Redemption(
            code: code.text,
            accountId: ledger[account].accountId,
            transactionId: ledger[transaction].transactionId,
            date: now
        )
        ledger.offerCodes.note(noted, of: code.position)
    }

    /// The position of a code that can be redeemed now for the product and offer of the purchase.
    private func redeemable(
        _ text: String,
        _ offer: PurchaseRequest.Offer,
        for productId: String
    ) throws(StoreError) -> OfferCodeLedger.Position {
        guard let position = ledger.offerCodes.position(of: text, seed: configuration.seed) else {
            let message = "There is no code \"\(text)\"; POST /_store/products/{productId}/offer-codes makes codes."
            throw StoreError(.offerCodeNotFound, message, path: "offer.code")
        }
        let batch = ledger.offerCodes.batches[position.batch]
        guard batch.productId == productId else {
            let message = "The code is for \"\(batch.productId)\"; buy that product with it."
            throw StoreError(.offerCodeProductMismatch, message, path: "productId")
        }
        guard offer.identifier == nil || offer.identifier == batch.offer else {
            let message = "The code is one of the offer \"\(batch.offer)\"; name that, or leave the name out."
            throw StoreError(.offerCodeOfferMismatch, message, path: "offer.identifier")
        }
        try checkIsGood(batch, position)
        return position
    }

    private func checkIsGood(_ batch: OfferCodeBatch, _ position: OfferCodeLedger.Position) throws(StoreError) {
        let path = "offer.code"
        guard batch.isActive else {
            let message = "The code was deactivated; make others for the offer \"\(batch.offer)\"."
            throw StoreError(.offerCodeInactive, message, path: path)
        }
        if let end = batch.expirationDate, end <= now {
            let message = "The code was good until \(end), and it is \(now); make others for \"\(batch.offer)\"."
            throw StoreError(.offerCodeExpired, message, path: path)
        }
        if let number = position.number {
            guard !ledger.offerCodes.redeemedNumbers.contains(number) else {
                throw StoreError(.offerCodeRedeemed, "The code was redeemed; each single code counts once.", path: path)
            }
        } else if batch.redemptions.count >= batch.redemptionLimit {
            let message = "The code was redeemed \(batch.redemptionLimit) times, which is its limit."
            throw StoreError(.offerCodeRedeemed, message, path: path)
        }
    }
}

extension StoreError.Code {
    /// The error for a custom code with other characters than letters and digits, or a code with another type of offer.
    public static let offerCodeInvalid = Self("offer_code_invalid", .invalid)
    /// The error for a code that already exists.
    public static let offerCodeExists = Self("offer_code_exists", .conflict)
    /// The error for a number of codes or redemptions out of range, or above the rest of the quarterly limit.
    public static let offerCodeLimitInvalid = Self("offer_code_limit_invalid", .unprocessable)
    /// The error for an invalid expiration date of codes.
    public static let expirationDateInvalid = Self("expiration_date_invalid", .unprocessable)
    /// No codes have this identifier.
    public static let offerCodesNotFound = Self("offer_codes_not_found", .notFound)
    /// The error for an unknown code.
    public static let offerCodeNotFound = Self("offer_code_not_found", .notFound)
    /// The code is for another product.
    public static let offerCodeProductMismatch = Self("offer_code_product_mismatch", .unprocessable)
    /// The code is for another offer of the product.
    public static let offerCodeOfferMismatch = Self("offer_code_offer_mismatch", .unprocessable)
    /// The developer deactivated the code.
    public static let offerCodeInactive = Self("offer_code_inactive", .conflict)
    /// The code has expired.
    public static let offerCodeExpired = Self("offer_code_expired", .conflict)
    /// The code was already redeemed, or has reached its limit.
    public static let offerCodeRedeemed = Self("offer_code_redeemed", .conflict)
    /// The customer has already redeemed a code of this offer.
    public static let offerAlreadyRedeemed = Self("offer_already_redeemed", .conflict)
}
