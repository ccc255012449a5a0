import AppStoreModel

extension LocalAppStore {
    /// How many of a consumable may be bought at once.
    private static let quantityRange = 1...10

    /// Sells a product to an account.
    ///
    /// An introductory offer applies by itself where the product has one and the account never had one in the group.
    /// Another product of a group that the account is subscribed to changes the plan, as ``changePlan`` does.
    ///
    /// - Throws: `account_not_found`, `product_not_found`, `quantity_invalid`, `app_account_token_invalid`,
    ///   `offer_not_supported`, `offer_not_eligible`, `payment_declined`, `already_owned`, `already_subscribed`,
    ///   `plan_unchanged`, `plan_not_own`, `purchase_not_immediate`, `signing_failed`.
    public mutating func purchase(
        accountId: String,
        request: PurchaseRequest
    ) throws(StoreError) -> PurchaseOutcome {
        try checkBuysImmediately(accountId)
        return try complete(request, for: accountId)
    }

    /// Sells a product to an account, whether its purchases wait or not.
    mutating func complete(
        _ request: PurchaseRequest,
        for accountId: String
    ) throws(StoreError) -> PurchaseOutcome {
        let account = try accountIndex(accountId)
        guard let product = catalog.products[request.productId] else {
            let message = "The catalogue has no product \"\(request.productId)\"."
            throw StoreError(.productNotFound, kind: .notFound, message: message, path: "productId")
        }
        try check(request, for: product, account: account)
        let token = request.appAccountToken?.lowercased()
        let transaction: LedgerIndex<Transaction>
        if let terms = product.terms {
            transaction = try purchase(request, of: product, terms: terms, account: account, token: token)
        } else {
            try checkPayment(of: account, fixesPayment: request.fixesPayment)
            transaction = charge(account, for: product, quantity: request.quantity, token: token)
        }
        if request.fixesPayment { fixPayment(of: account) }
        try settle()
        return try outcome(of: transaction)
    }

    /// Whether the account would get the product's introductory offer.
    func isEligibleForIntroductoryOffer(_ account: LedgerIndex<Account>, terms: SubscriptionTerms) -> Bool {
        guard terms.introductoryOffer != nil, !ledger[account].groupsIntroduced.contains(terms.groupId) else {
            return false
        }
        let held = ledger.subscription(of: account, inGroup: terms.groupId)
        return held.map { !ledger[$0].isLive } ?? true
    }

    /// Sells a subscription, or changes the plan of the one that the account has in the group.
    private mutating func purchase(
        _ request: PurchaseRequest,
        of product: CatalogProduct,
        terms: SubscriptionTerms,
        account: LedgerIndex<Account>,
        token: String?
    ) throws(StoreError) -> LedgerIndex<Transaction> {
        guard let held = ledger.subscription(of: account, inGroup: terms.groupId), ledger[held].isLive else {
            try checkPayment(of: account, fixesPayment: request.fixesPayment)
            return subscribe(account, to: product, terms: terms, token: token)
        }
        let kind = try kindOfChange(of: held, to: product, terms: terms)
        if kind.isImmediate { try checkPayment(of: account, fixesPayment: request.fixesPayment) }
        if let token { ledger[held].appAccountToken = token }
        carryOut(kind, of: held, to: product, terms: terms)
        return ledger[held].latest
    }

    private func check(
        _ request: PurchaseRequest,
        for product: CatalogProduct,
        account: LedgerIndex<Account>
    ) throws(StoreError) {
        let quantities = product.kind == .consumable ? Self.quantityRange : 1...1
        guard quantities.contains(request.quantity) else {
            let message =
                "The quantity of this product must be from \(quantities.lowerBound) to \(quantities.upperBound)."
            throw StoreError(.quantityInvalid, kind: .invalid, message: message, path: "quantity")
        }
        if let token = request.appAccountToken, !isUUID(token) {
            let message = "The token must be a UUID."
            throw StoreError(.appAccountTokenInvalid, kind: .invalid, message: message, path: "appAccountToken")
        }
        try checkNotOwned(product, by: account)
        if let offer = request.offer { try check(offer, for: product, account: account) }
    }

    private func check(
        _ offer: PurchaseRequest.Offer,
        for product: CatalogProduct,
        account: LedgerIndex<Account>
    ) throws(StoreError) {
        guard offer.type == "introductory" else {
            let message =
                "Offers of type \"\(offer.type)\" are not supported by this version; only \"introductory\" is."
            throw StoreError(.offerNotSupported, kind: .unprocessable, message: message, path: "offer.type")
        }
        guard let terms = product.terms, isEligibleForIntroductoryOffer(account, terms: terms) else {
            let message =
                "The product has no introductory offer, or the account had one in its group or is subscribed there."
            throw StoreError(.offerNotEligible, kind: .unprocessable, message: message, path: "offer")
        }
    }

    private func checkNotOwned(
        _ product: CatalogProduct,
        by account: LedgerIndex<Account>
    ) throws(StoreError) {
        if product.kind == .nonConsumable {
            let isOwned = ledger[account].transactions.contains {
                ledger[$0].productId == product.productId && ledger[$0].revocation == nil
                    && ledger[$0].ownership == .purchased
            }
            guard !isOwned else {
                let message = "The account owns \"\(product.productId)\" already; a restore is free and no purchase."
                throw StoreError(.alreadyOwned, kind: .conflict, message: message, path: "productId")
            }
        }
        guard let terms = product.terms, let held = ledger.subscription(of: account, inGroup: terms.groupId),
            ledger[held].isLive, !ledger[held].isInBillingRetry, ledger[held].productId == product.productId,
            ledger[held].renewalProductId == product.productId
        else { return }
        let original = ledger[held].originalTransactionId
        let message = "The account is subscribed to \"\(product.productId)\" already (\(original))."
        throw StoreError(.alreadySubscribed, kind: .conflict, message: message, path: "productId")
    }

    /// Sells a product that does not renew.
    mutating func charge(
        _ account: LedgerIndex<Account>,
        for product: CatalogProduct,
        quantity: Int,
        token: String?
    ) -> LedgerIndex<Transaction> {
        let transaction = ledger.nextTransaction
        ledger.append(
            Transaction(
                index: transaction,
                original: transaction,
                account: account,
                subscription: nil,
                productId: product.productId,
                groupId: nil,
                type: product.type,
                purchaseDate: now,
                originalPurchaseDate: now,
                expiresDate: nil,
                quantity: quantity,
                appAccountToken: token,
                offer: nil,
                price: salePrice(of: product, to: account) * Int64(quantity),
                reason: .purchase
            )
        )
        announce(.oneTimeCharge, transaction: transaction)
        return transaction
    }

    mutating func outcome(of index: LedgerIndex<Transaction>) throws(StoreError) -> PurchaseOutcome {
        let date = signingDate(of: index)
        let transaction = ledger[index]
        var signedRenewalInfo: String?
        if let subscription = transaction.subscription {
            signedRenewalInfo = try sign(renewalPayload(of: subscription, signedDate: date).jsonBytes)
        }
        return PurchaseOutcome(
            transactionId: transaction.transactionId,
            originalTransactionId: transaction.originalTransactionId,
            signedTransactionInfo: try sign(transactionPayload(of: index, signedDate: date).jsonBytes),
            signedRenewalInfo: signedRenewalInfo
        )
    }
}

extension CatalogProduct {
    /// The type as payloads name it.
    var type: ProductType {
        switch kind {
        case .consumable: .consumable
        case .nonConsumable: .nonConsumable
        case .nonRenewing: .nonRenewingSubscription
        case .autoRenewable: .autoRenewableSubscription
        }
    }
}
