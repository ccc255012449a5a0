import AppStoreModel

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
        let sale = PeriodSale(
            of: product.productId,
            from: saleDate,
            price: salePrice(of: product, to: account),
            cycle: Subscription.BillingCycle(anchor: saleDate, period: terms.period),
            offer: grant.offer.map(UpcomingOffer.begins),
            reason: .purchase
        )
        let following = grant.following.map {
            PendingOffer(offer: $0, productId: product.productId, waitsForRunning: true)
        }
        return start(sale, for: account, inGroup: terms.groupId, token: token, following: following)
    }

    /// Starts a subscription, or an ended one of the same group again.
    ///
    /// - Parameters:
    ///   - sale: The first period.
    ///   - account: The account.
    ///   - groupId: The group.
    ///   - token: The developer's identifier of the user.
    ///   - following: The offer that starts at a later renewal.
    ///   - seats: The seats, if it is sold with seats.
    /// - Returns: The transaction of the first period.
    mutating func start(
        _ sale: PeriodSale,
        for account: LedgerIndex<Account>,
        inGroup groupId: String,
        token: String?,
        following: PendingOffer? = nil,
        seats: SeatPlan? = nil
    ) -> LedgerIndex<Transaction> {
        let held = ledger.subscription(of: account, inGroup: groupId)
        let index = held ?? ledger.nextSubscription
        let hadItems = ledger.advancedCommerce.subscriptions[index] != nil
        if hadItems || sale.items != nil || seats != nil { ledger[priceOf: index] = nil }
        ledger[termsOf: index] = sale.items
        ledger[seatsOf: index] = seats
        ledger.sandboxRenewals[index.offset] = nil
        if held == nil { open(index, with: sale, for: account, inGroup: groupId, token: token) }
        var sale = sale
        sale.isChoice = true
        let subtype: NotificationSubtype = held == nil ? .initialBuy : .resubscribe
        apply([.setOffer(following), .setToken(token), .sell(sale), .announce(.subscribed, subtype)], to: index)
        return ledger[index].latest
    }

    /// Adds a subscription whose first period is sold next.
    private mutating func open(
        _ index: LedgerIndex<Subscription>,
        with sale: PeriodSale,
        for account: LedgerIndex<Account>,
        inGroup groupId: String,
        token: String?
    ) {
        let first = ledger.nextTransaction
        ledger.append(
            Subscription(
                original: first,
                account: account,
                groupId: groupId,
                originalPurchaseDate: originalPurchaseDate(of: first),
                productId: sale.productId,
                renewalProductId: sale.productId,
                cycle: sale.cycle,
                latest: first,
                recentStart: sale.start,
                appAccountToken: token
            )
        )
    }
}
