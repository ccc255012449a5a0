import AppStoreModel

/// A period to sell: product, dates and terms.
struct PeriodSale {
    let product: CatalogProduct
    let start: Int64
    let end: Int64
    let price: Int64
    let offer: Transaction.AppliedOffer?
    let reason: TransactionReason
    /// The month of a commitment that the period covers.
    var commitment: Commitment?
    /// The number of seats.
    var quantity = 1
}

extension LocalAppStore {
    /// The gap after which a subscription counts as new.
    ///
    /// - Source: App Store Server API, `recentSubscriptionStartDate`: 60 days, in the sandbox 10 minutes.
    var runGapMax: Int64 {
        configuration.environment == .production ? 60 * Milliseconds.day : 10 * Milliseconds.minute
    }

    /// The date of a sale now, in whole seconds as all dates of purchases and periods.
    var saleDate: Int64 { Milliseconds.wholeSecond(of: now) }

    /// The `originalPurchaseDate` of a first transaction: in Apple's payloads a second or two after its `purchaseDate`.
    func originalPurchaseDate(of first: LedgerIndex<Transaction>, boughtAt date: Int64? = nil) -> Int64 {
        let purchaseDate = date ?? saleDate
        guard settings.delaysOriginalPurchaseDate else { return purchaseDate }
        return purchaseDate + (first.offset.isMultiple(of: 2) ? 1 : 2) * Milliseconds.second
    }

    /// Sells the first period of a subscription, with the introductory offer if the account is eligible.
    mutating func subscribe(
        _ account: LedgerIndex<Account>,
        to product: CatalogProduct,
        terms: SubscriptionTerms,
        token: String?
    ) -> LedgerIndex<Transaction> {
        let grant = OfferGrant(offer: introductoryOffer(of: terms, for: account))
        return subscribe(account, to: product, terms: terms, token: token, grant: grant)
    }

    /// Sells the first period of a subscription, or the first after its end.
    mutating func subscribe(
        _ account: LedgerIndex<Account>,
        to product: CatalogProduct,
        terms: SubscriptionTerms,
        token: String?,
        grant: OfferGrant
    ) -> LedgerIndex<Transaction> {
        if grant.offer?.type == .introductory { ledger[account].groupsIntroduced.insert(terms.groupId) }
        let held = ledger.subscription(of: account, inGroup: terms.groupId)
        if let held { ledger.seats.plans[held] = nil }
        if let held, ledger.advancedCommerce.subscriptions.removeValue(forKey: held) != nil {
            ledger.prices.overrides[held] = nil
        }
        let following = grant.following.map {
            PendingOffer(offer: $0, productId: product.productId, waitsForRunning: true)
        }
        ledger.setPendingOffer(following, of: held ?? ledger.nextSubscription)
        let start = NextPeriod(
            start: saleDate,
            price: salePrice(of: product, to: account),
            cycle: Subscription.BillingCycle(anchor: saleDate, period: terms.period),
            offer: grant.offer.map(UpcomingOffer.begins)
        )
        let sale = PeriodSale(
            product: product,
            start: saleDate,
            end: start.end,
            price: start.price,
            offer: grant.offer.map(Transaction.AppliedOffer.init),
            reason: .purchase
        )
        if let held { return resubscribe(held, sale: sale, first: start, token: token) }
        return begin(account, groupId: terms.groupId, sale: sale, first: start, token: token)
    }

    mutating func begin(
        _ account: LedgerIndex<Account>,
        groupId: String,
        sale: PeriodSale,
        first: NextPeriod,
        token: String?
    ) -> LedgerIndex<Transaction> {
        let transaction = ledger.nextTransaction
        let index = ledger.nextSubscription
        ledger.append(
            Transaction(
                index: transaction,
                original: transaction,
                account: account,
                subscription: index,
                productId: sale.product.productId,
                groupId: groupId,
                type: .autoRenewableSubscription,
                purchaseDate: saleDate,
                originalPurchaseDate: originalPurchaseDate(of: transaction),
                expiresDate: sale.end,
                quantity: sale.quantity,
                appAccountToken: token,
                offer: sale.offer,
                price: sale.price,
                reason: .purchase
            )
        )
        ledger.append(
            Subscription(
                original: transaction,
                account: account,
                groupId: groupId,
                originalPurchaseDate: originalPurchaseDate(of: transaction),
                productId: sale.product.productId,
                renewalProductId: sale.product.productId,
                cycle: first.cycle,
                runningOffer: first.runningOffer,
                latest: transaction,
                recentStart: saleDate,
                appAccountToken: token
            )
        )
        setRenewalTimer(of: index)
        ledger.note(sale.commitment, of: index, transaction: transaction)
        settlePrice(of: index, after: sale)
        announce(.subscribed, .initialBuy, transaction: transaction)
        return transaction
    }

    mutating func resubscribe(
        _ index: LedgerIndex<Subscription>,
        sale: PeriodSale,
        first: NextPeriod,
        token: String?
    ) -> LedgerIndex<Transaction> {
        ledger[index].isAutoRenewOn = true
        ledger[index].renewalProductId = sale.product.productId
        ledger[index].cycle = first.cycle
        ledger[index].runningOffer = first.runningOffer
        ledger[index].appAccountToken = token
        let transaction = sell(sale, to: index)
        announce(.subscribed, .resubscribe, transaction: transaction)
        return transaction
    }

    /// Adds a period to an existing subscription, and makes it active until the end of the period.
    mutating func sell(_ sale: PeriodSale, to index: LedgerIndex<Subscription>) -> LedgerIndex<Transaction> {
        let subscription = ledger[index]
        let gap = sale.start - ledger[subscription.latest].coverageEnd
        let keptPrice = preservedPrice(of: index, for: sale.product)
        let transaction = ledger.nextTransaction
        ledger.append(
            Transaction(
                index: transaction,
                original: subscription.original,
                account: subscription.account,
                subscription: index,
                productId: sale.product.productId,
                groupId: subscription.groupId,
                type: .autoRenewableSubscription,
                purchaseDate: sale.start,
                originalPurchaseDate: subscription.originalPurchaseDate,
                expiresDate: sale.end,
                quantity: sale.quantity,
                appAccountToken: subscription.appAccountToken,
                offer: sale.offer,
                price: sale.price,
                reason: sale.reason
            )
        )
        ledger.journal.noteCharge(of: transaction, startingAt: sale.start, at: saleDate)
        ledger[index].state = .active
        ledger[index].productId = sale.product.productId
        ledger[index].latest = transaction
        if gap > runGapMax { ledger[index].recentStart = sale.start }
        setRenewalTimer(of: index)
        ledger.note(sale.commitment, of: index, transaction: transaction)
        settlePrice(of: index, after: sale, keptPrice: keptPrice)
        return transaction
    }
}
