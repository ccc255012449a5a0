import AppStoreModel
import AppStoreSigning

extension LocalAppStore {
    /// Executes an Advanced Commerce request that the developer signed and the app passes to StoreKit.
    ///
    /// It sells a one-time charge or a subscription under a catalogue product, changes a subscription's items, or turns
    /// its renewal on. Names, prices and periods come from the request.
    ///
    /// - Parameters:
    ///   - accountId: The account.
    ///   - productId: The catalogue product that represents everything the request sells.
    ///   - request: The JWS.
    ///   - fixesPayment: Whether the customer enters a valid card if the one on file is declined.
    /// - Source: Advanced Commerce API, in-app requests.
    /// - Throws: `account_not_found`, `product_not_found`, `signature_…`, `advanced_commerce_refused` with Apple's
    ///   error in its message, `payment_declined`, `purchase_not_immediate`, `signing_failed`.
    public mutating func purchaseWithAdvancedCommerce(
        accountId: String,
        productId: String,
        request: String,
        fixesPayment: Bool = false
    ) throws(StoreError) -> PurchaseOutcome {
        try checkBuysImmediately(accountId)
        let account = try accountIndex(accountId)
        let product = try catalogProduct(productId)
        let (claims, nonce) = try advancedCommerceClaims(request)
        let order: AdvancedCommerceOrder
        do throws(AppStoreServerAPIError) {
            order = try AdvancedCommerceOrder(claims)
            try check(order.caller, for: account)
            try check(order, of: product, for: account)
        } catch {
            throw StoreError(.advancedCommerceRefused, error.description, path: "request")
        }
        if order.isCharged { try checkPayment(of: account, fixesPayment: fixesPayment) }
        ledger.use(nonce: nonce)
        ledger.advancedCommerce.note(order.caller.requestReferenceId)
        let transaction = try carryOut(order, of: product, for: account)
        if fixesPayment { fixPayment(of: account) }
        try settle()
        return try outcome(of: transaction)
    }

    private func advancedCommerceClaims(_ jws: String) throws(StoreError) -> (JSONObject, nonce: String) {
        let verifier = StoreKitRequestVerifier(publicKeys: signatureKeys)
        let bundleId = configuration.bundleId
        let kind = AdvancedCommerceSignedRequest.self
        switch judged({ verifier.check(jws, as: kind, bundleId: bundleId, now: $0) }) {
        case .accepted(let verified):
            guard !ledger.usedNonces.contains(verified.nonce.text) else {
                let message = "The request was already executed; sign again with a new nonce."
                throw StoreError(.signatureNonceUsed, message, path: "request")
            }
            return (verified.claims.request, verified.nonce.text)
        case .refused(let refusal):
            let code = StoreError.Code(rawValue: refusal.code.rawValue)
            let message = "\(refusal.message) The store's clock shows \(now)."
            throw StoreError(code, message, path: "request")
        }
    }

    /// Checks whether the account can buy the order.
    private func check(
        _ order: AdvancedCommerceOrder,
        of product: CatalogProduct,
        for account: LedgerIndex<Account>
    ) throws(AppStoreServerAPIError) {
        let held = product.terms.flatMap { ledger.subscription(of: account, inGroup: $0.groupId) }
        switch order.operation {
        case .charge:
            guard product.terms == nil else { throw .productNotEligible }
        case .subscribe(_, let previous):
            guard product.terms != nil else { throw .productNotEligible }
            if let previous {
                guard let first = ledger.transaction(id: previous) else { throw .invalidPreviousTransactionID }
                guard ledger[first].account == account, ledger[first].subscription != nil else {
                    throw .invalidPreviousSubscription
                }
            }
            if let held, ledger[held].isLive { throw .subscriptionAlreadyExists }
        case .reactivate(let transactionId, let skus):
            guard let named = ledger.transaction(id: transactionId) else { throw .transactionIdNotFound }
            guard let index = ledger[named].subscription, ledger[index].account == account else {
                throw .subscriptionDoesNotExist
            }
            guard let terms = ledger.advancedCommerce.subscriptions[index] else { throw .subscriptionNotEligible }
            guard ledger[index].isLive else { throw .inactiveACASub }
            guard !ledger[index].isAutoRenewOn else { throw .subscriptionAlreadyActive }
            let known = Set(terms.items.map(\.sku))
            guard skus.map(known.isSuperset) ?? true else { throw .invalidSKUProvidedMustBeCurrentSKUSetToRenew }
        case .modify(let change):
            let index = try modifiableSubscription(of: account, by: change)
            guard ledger[index].productId == product.productId else { throw .productNotEligible }
        }
    }

    private mutating func carryOut(
        _ order: AdvancedCommerceOrder,
        of product: CatalogProduct,
        for account: LedgerIndex<Account>
    ) throws(StoreError) -> LedgerIndex<Transaction> {
        let token = order.caller.appAccountToken
        switch order.operation {
        case .charge(let info): return charge(account, for: product, info: info, token: token)
        case .subscribe(var terms, _):
            terms.consistencyToken = identifiers.nextUUID()
            return subscribe(account, to: product, as: terms, token: token)
        case .reactivate(let transactionId, let skus):
            let index = try subscription(with: transactionId)
            if let skus {
                ledger[termsOf: index]?.items.removeAll { !skus.contains($0.sku) }
            }
            noteAdvancedCommerceChange(of: index, by: order.caller)
            setAutoRenew(of: index, enabled: true)
            return ledger[index].latest
        case .modify(let change):
            let index = try subscription(with: change.transactionId)
            return modify(index, by: change, of: product, for: order.caller)
        }
    }

    /// The subscription of any of its transactions.
    private func subscription(with transactionId: String) throws(StoreError) -> LedgerIndex<Subscription> {
        let named = ledger[try transactionIndex(transactionId)]
        return try subscriptionIndex(named.originalTransactionId)
    }

    private mutating func charge(
        _ account: LedgerIndex<Account>,
        for product: CatalogProduct,
        info: AdvancedCommerceTransactionInfo,
        token: String?
    ) -> LedgerIndex<Transaction> {
        let sale = OneTimeSale(product: product, price: info.taxExclusivePrice ?? 0, token: token)
        let transaction = sell(sale, to: account)
        ledger[itemsOf: transaction] = info
        announce(.oneTimeCharge, transaction: transaction)
        return transaction
    }

    private mutating func subscribe(
        _ account: LedgerIndex<Account>,
        to product: CatalogProduct,
        as terms: AdvancedCommerceTerms,
        token: String?
    ) -> LedgerIndex<Transaction> {
        let cycle = Subscription.BillingCycle(anchor: saleDate, period: length(of: terms.duePeriod))
        let sale = terms.sale(of: product.productId, from: saleDate, cycle: cycle, reason: .purchase)
        return start(sale, for: account, inGroup: product.terms?.groupId ?? "", token: token)
    }
}
