import AppStoreModel

extension LocalAppStore {
    /// Determines the offer of a subscription purchase.
    ///
    /// Without a requested offer, the introductory offer applies if the account is eligible.
    ///
    /// - Throws: `offer_not_supported`, `offer_not_found`, `offer_not_eligible`, and for signatures
    ///   `signature_missing`, `signature_nonce_used`, `signature_customer_mismatch`, `signature_offer_mismatch` and
    ///   what the check says.
    func grant(
        for request: PurchaseRequest,
        terms: SubscriptionTerms,
        account: LedgerIndex<Account>
    ) throws(StoreError) -> OfferGrant {
        guard let offer = request.offer else { return OfferGrant(offer: introductoryOffer(of: terms, for: account)) }
        switch offer.type {
        case "introductory": return try introductoryGrant(offer, request, terms: terms, account: account)
        case "promotional": return try promotionalGrant(offer, request, terms: terms, account: account)
        case "offer_code": return try codeGrant(offer, terms: terms, account: account)
        case "win_back": return try winBackGrant(offer, request, terms: terms, account: account)
        default: throw Self.unknownOfferType(offer.type)
        }
    }

    /// The unit price and the offer of a product other than a subscription.
    ///
    /// - Throws: `offer_not_supported`, `offer_not_found`, `offer_not_eligible`.
    func oneTimeOffer(
        for request: PurchaseRequest,
        product: CatalogProduct
    ) throws(StoreError) -> OneTimeCodeOfferPlan? {
        guard let offer = request.offer else { return nil }
        guard ["introductory", "promotional", "offer_code", "win_back"].contains(offer.type) else {
            throw Self.unknownOfferType(offer.type)
        }
        guard offer.type == "offer_code" else {
            let message = "Only subscriptions have such offers; this product can have offer codes."
            throw StoreError(.offerNotEligible, message, path: "offer")
        }
        guard let plan = product.codeOffers.first(where: { $0.referenceName == offer.identifier }) else {
            throw Self.unknownOffer(offer.identifier, known: product.codeOffers.map(\.referenceName))
        }
        return plan
    }

    /// The introductory offer that applies automatically to the account.
    func introductoryOffer(of terms: SubscriptionTerms, for account: LedgerIndex<Account>) -> GrantedOffer? {
        guard isEligibleForIntroductoryOffer(account, terms: terms) else { return nil }
        return terms.introductoryOffer.map { GrantedOffer(type: .introductory, terms: $0) }
    }

    /// The status of the account in a group.
    func customerKind(
        of account: LedgerIndex<Account>,
        inGroup groupId: String
    ) -> CodeOfferPlan.Customer {
        guard let held = ledger.subscription(of: account, inGroup: groupId) else { return .new }
        return ledger[held].isLive ? .existing : .expired
    }

    private func introductoryGrant(
        _ offer: PurchaseRequest.Offer,
        _ request: PurchaseRequest,
        terms: SubscriptionTerms,
        account: LedgerIndex<Account>
    ) throws(StoreError) -> OfferGrant {
        guard let jws = offer.signature else {
            guard let granted = introductoryOffer(of: terms, for: account) else {
                throw Self.notEligible("The product has no introductory offer, or the account had one in its group.")
            }
            return OfferGrant(offer: granted)
        }
        let verdict = try introductoryEligibility(jws, productId: request.productId, account: account)
        guard verdict.isAllowed else { return OfferGrant(nonce: verdict.nonce) }
        guard let introductory = terms.introductoryOffer else {
            throw Self.notEligible("The product has no introductory offer.")
        }
        guard customerKind(of: account, inGroup: terms.groupId) != .existing else {
            throw Self.notEligible("A change of plan has no introductory offer, whatever the signature says.")
        }
        return OfferGrant(offer: GrantedOffer(type: .introductory, terms: introductory), nonce: verdict.nonce)
    }

    private func promotionalGrant(
        _ offer: PurchaseRequest.Offer,
        _ request: PurchaseRequest,
        terms: SubscriptionTerms,
        account: LedgerIndex<Account>
    ) throws(StoreError) -> OfferGrant {
        guard let plan = terms.promotionalOffers.first(where: { $0.offerId == offer.identifier }) else {
            throw Self.unknownOffer(offer.identifier, known: terms.promotionalOffers.map(\.offerId))
        }
        let hasSubscribed = ledger[account].subscriptions.contains {
            ledger[ledger[$0].original].ownership == .purchased
        }
        guard hasSubscribed else {
            throw Self.notEligible("Promotional offers are for customers who are or were subscribed in the app.")
        }
        let nonce = try promotionalNonce(offer, request, account: account)
        let granted = GrantedOffer(type: .promotional, identifier: plan.offerId, terms: plan.terms)
        return OfferGrant(offer: granted, nonce: nonce)
    }

    private func codeGrant(
        _ offer: PurchaseRequest.Offer,
        terms: SubscriptionTerms,
        account: LedgerIndex<Account>
    ) throws(StoreError) -> OfferGrant {
        guard let plan = terms.codeOffers.first(where: { $0.referenceName == offer.identifier }) else {
            throw Self.unknownOffer(offer.identifier, known: terms.codeOffers.map(\.referenceName))
        }
        let customer = customerKind(of: account, inGroup: terms.groupId)
        guard plan.eligibility.contains(customer) else {
            let possible = plan.eligibility.map(\.rawValue).sorted().joined(separator: ", ")
            throw Self.notEligible("The customer is \(customer.rawValue) in the group; the code is for: \(possible).")
        }
        let granted = GrantedOffer(type: .offerCode, identifier: plan.referenceName, terms: plan.terms)
        if plan.isStackable, let introductory = introductoryOffer(of: terms, for: account) {
            return OfferGrant(offer: introductory, following: granted)
        }
        return OfferGrant(offer: granted, isStackable: plan.isStackable)
    }

    private func winBackGrant(
        _ offer: PurchaseRequest.Offer,
        _ request: PurchaseRequest,
        terms: SubscriptionTerms,
        account: LedgerIndex<Account>
    ) throws(StoreError) -> OfferGrant {
        guard let plan = terms.winBackOffers.first(where: { $0.offerId == offer.identifier }) else {
            throw Self.unknownOffer(offer.identifier, known: terms.winBackOffers.map(\.offerId))
        }
        let held = ledger.subscription(of: account, inGroup: terms.groupId)
        let eligible = held.map { eligibleWinBackOffers(of: $0, at: now) } ?? []
        guard eligible.contains(where: { $0.offerId == plan.offerId }) else {
            let possible = eligible.isEmpty ? "none" : eligible.map(\.offerId).joined(separator: ", ")
            throw Self.notEligible("The account cannot redeem this win-back offer now; it can redeem: \(possible).")
        }
        return OfferGrant(offer: GrantedOffer(type: .winBack, identifier: plan.offerId, terms: plan.terms))
    }

    private static func unknownOfferType(_ type: String) -> StoreError {
        let message = "\"\(type)\" is no type of offer; known are introductory, promotional, offer_code and win_back."
        return StoreError(.offerNotSupported, message, path: "offer.type")
    }

    private static func unknownOffer(_ identifier: String?, known: [String]) -> StoreError {
        let possible = known.isEmpty ? "none" : known.joined(separator: ", ")
        let message =
            if let identifier { "The product has no offer \"\(identifier)\" of this type; it has: \(possible)." } else {
                "Say which offer of this type; the product has: \(possible)."
            }
        return StoreError(.offerNotFound, message, path: "offer.identifier")
    }

    private static func notEligible(_ message: String) -> StoreError {
        StoreError(.offerNotEligible, message, path: "offer")
    }
}
