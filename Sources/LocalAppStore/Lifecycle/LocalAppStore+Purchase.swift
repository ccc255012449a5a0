import AppStoreModel
import PerennialPrimitives

extension LocalAppStore {
    /// The allowed quantities of a consumable.
    private static let quantityRange = 1...10

    /// Sells a product to an account.
    ///
    /// An introductory offer applies automatically if the product has one and the account never used one in the group.
    /// Another product of a group with an active subscription changes the plan, as
    /// ``changePlan(originalTransactionId:productId:fixesPayment:)`` does.
    ///
    /// - Throws: `account_not_found`, `product_not_found`, `quantity_invalid`, `app_account_token_invalid`,
    ///   `offer_not_supported`, `offer_not_found`, `offer_not_eligible`, `offer_would_downgrade`, `offer_code_…`,
    ///   `offer_already_redeemed`, `signature_…`, `field_not_applicable`, `billing_plan_…`, `payment_declined`,
    ///   `already_owned`, `already_subscribed`, `plan_unchanged`, `family_shared`, `seats_not_supported`,
    ///   `advanced_commerce_subscription`, `purchase_not_immediate`, `signing_failed`.
    public mutating func purchase(
        accountId: String,
        request: PurchaseRequest
    ) throws(StoreError) -> PurchaseOutcome {
        try checkBuysImmediately(accountId)
        return try complete(request, for: accountId)
    }

    /// Sells a product to an account, regardless of its approval settings.
    mutating func complete(
        _ request: PurchaseRequest,
        for accountId: String
    ) throws(StoreError) -> PurchaseOutcome {
        let account = try accountIndex(accountId)
        let product = try catalogProduct(request.productId)
        try check(request, for: product, account: account)
        var request = request
        let redemption = try redemption(in: &request, by: account)
        let token = request.appAccountToken?.lowercased()
        let transaction: LedgerIndex<Transaction>
        if let terms = product.terms {
            transaction = try purchase(request, of: product, terms: terms, account: account, token: token)
        } else {
            try checkPayment(of: account, fixesPayment: request.fixesPayment)
            let offer = try oneTimeOffer(for: request, product: product)
            transaction = charge(account, for: product, quantity: request.quantity, token: token, offer: offer)
        }
        if let redemption { note(redemption, of: account, transaction: transaction) }
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

    /// Sells a subscription, or changes the plan of the account's subscription in the group.
    private mutating func purchase(
        _ request: PurchaseRequest,
        of product: CatalogProduct,
        terms: SubscriptionTerms,
        account: LedgerIndex<Account>,
        token: String?
    ) throws(StoreError) -> LedgerIndex<Transaction> {
        let grant = try grant(for: request, terms: terms, account: account)
        let transaction: LedgerIndex<Transaction>
        if let held = ledger.subscription(of: account, inGroup: terms.groupId), ledger[held].isLive {
            let kind = try change(of: held, to: product, terms: terms, by: request, grant: grant)
            if kind.isImmediate { try checkPayment(of: account, fixesPayment: request.fixesPayment) }
            if let token { apply([.setToken(token)], to: held) }
            carryOut(kind, of: held, to: product, terms: terms, grant: grant)
            transaction = ledger[held].latest
        } else {
            try checkPayment(of: account, fixesPayment: request.fixesPayment)
            transaction =
                request.billingPlan == .monthly
                ? commit(account, to: product, terms: terms, token: token)
                : subscribe(account, to: product, terms: terms, token: token, grant: grant)
        }
        if let nonce = grant.nonce { ledger.use(nonce: nonce) }
        return transaction
    }

    /// The kind of plan change of a purchase within the group; with an offer, also to a current or pending product.
    ///
    /// - Throws: `already_subscribed`, `plan_unchanged`, `family_shared`, `offer_would_downgrade`.
    private func change(
        of held: LedgerIndex<Subscription>,
        to product: CatalogProduct,
        terms: SubscriptionTerms,
        by request: PurchaseRequest,
        grant: OfferGrant
    ) throws(StoreError) -> PlanChange.Kind {
        guard let offer = grant.offer else {
            try checkNotSubscribed(held, to: product)
            return try kindOfChange(of: held, to: product, terms: terms)
        }
        try checkOwn(ledger[held])
        let kind = kindOfChange(from: ledger[held], to: product, terms: terms)
        guard offer.type != .offerCode || (kind != .downgrade && kind != .crossgradeAtRenewal) else {
            let message =
                "A code cannot lower the plan; redeem one for \"\(ledger[held].productId)\" or a higher product."
            throw StoreError(.offerWouldDowngrade, message, path: "offer")
        }
        return kind
    }

    private func check(
        _ request: PurchaseRequest,
        for product: CatalogProduct,
        account: LedgerIndex<Account>
    ) throws(StoreError) {
        let quantities = product.kind == .consumable ? Self.quantityRange : 1...1
        guard quantities.contains(request.quantity) else {
            let message =
                product.kind == .consumable
                ? "The quantity must be from \(quantities.lowerBound) to \(quantities.upperBound)."
                : "Only consumables are bought several at a time: leave the quantity out, or make it 1."
            throw StoreError(.quantityInvalid, message, path: "quantity")
        }
        if let token = request.appAccountToken, !token.isUUID {
            throw StoreError(.appAccountTokenInvalid, "The token must be a UUID.", path: "appAccountToken")
        }
        try checkNotOwned(product, by: account)
        if let plan = request.billingPlan { try checkBillingPlan(plan, for: request, of: product, account: account) }
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
                throw StoreError(.alreadyOwned, message, path: "productId")
            }
        }
    }

    private func checkNotSubscribed(
        _ held: LedgerIndex<Subscription>,
        to product: CatalogProduct
    ) throws(StoreError) {
        guard !ledger[held].isInBillingRetry, ledger[held].productId == product.productId,
            ledger[held].renewalProductId == product.productId
        else { return }
        let original = ledger[held].originalTransactionId
        let message = "The account is subscribed to \"\(product.productId)\" already (\(original))."
        throw StoreError(.alreadySubscribed, message, path: "productId")
    }

    /// Sells a product without renewal.
    mutating func charge(
        _ account: LedgerIndex<Account>,
        for product: CatalogProduct,
        quantity: Int,
        token: String?,
        offer: OneTimeCodeOfferPlan? = nil
    ) -> LedgerIndex<Transaction> {
        let price = (offer?.price ?? salePrice(of: product, to: account)) * Int64(quantity)
        let sale = OneTimeSale(product: product, quantity: quantity, price: price, offer: offer, token: token)
        let transaction = sell(sale, to: account)
        announce(.oneTimeCharge, transaction: transaction)
        return transaction
    }

    /// Creates the transaction of a one-time purchase, which is announced separately.
    mutating func sell(_ sale: OneTimeSale, to account: LedgerIndex<Account>) -> LedgerIndex<Transaction> {
        let transaction = ledger.nextTransaction
        ledger.append(
            Transaction(
                index: transaction,
                original: transaction,
                account: account,
                subscription: nil,
                productId: sale.product.productId,
                groupId: nil,
                type: sale.product.type,
                purchaseDate: saleDate,
                originalPurchaseDate: originalPurchaseDate(of: transaction),
                expiresDate: nil,
                quantity: sale.quantity,
                appAccountToken: sale.token,
                offer: sale.offer.map {
                    Transaction.AppliedOffer(type: .offerCode, identifier: $0.referenceName, discountType: .oneTime)
                },
                price: sale.price,
                reason: .purchase
            )
        )
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

/// A one-time purchase.
struct OneTimeSale {
    let product: CatalogProduct
    var quantity = 1
    /// The total price, thousandths of the currency unit.
    let price: Int64
    var offer: OneTimeCodeOfferPlan?
    /// The developer's identifier of the user.
    let token: String?
}

extension CatalogProduct {
    /// The type in the notation of payloads.
    var type: ProductType {
        switch kind {
        case .consumable: .consumable
        case .nonConsumable: .nonConsumable
        case .nonRenewing: .nonRenewingSubscription
        case .autoRenewable: .autoRenewableSubscription
        }
    }
}
