import AppStoreModel

extension LocalAppStore {
    /// How many days App Store Connect keeps a daily report.
    private static let reportDaysKept = 365

    /// A report of App Store Connect, computed from the ledger: text, its columns divided by tabs, one header line.
    ///
    /// Days are those of Pacific time, and a day's report is there as soon as the day is over.
    ///
    /// - Source: App Store Connect API, Download Sales and Trends Reports.
    /// - Throws: `NOT_FOUND` for a day without content, one that is not over, and one that is too long ago.
    public func salesReport(_ query: SalesReportQuery) throws(AppStoreConnectError) -> String {
        let today = PacificDay(now)
        let day = query.day ?? PacificDay(number: today.number - 1)
        guard day < today else { throw .notAvailableYet }
        guard today.number - day.number <= Self.reportDaysKept else { throw .notKept }
        let text: String?
        switch query.report {
        case .subscription: text = subscriptionReport(of: day, version: query.version)
        case .subscriptionEvent: text = subscriptionEventReport(of: day, version: query.version)
        case .subscriber: text = subscriberReport(of: day)
        case .offerCodeRedemption: text = redemptionReport(of: day)
        }
        guard let text else { throw .noSales }
        return text
    }

    /// What the journal has until an instant, by subscription.
    func journal(before limit: Int64) -> [LedgerIndex<Subscription>: [SubscriptionJournal.Entry]] {
        Dictionary(grouping: ledger.journal.entries, by: \.subscription)
    }

    /// Calls with every subscription that somebody bought, told again until an instant.
    func replayAll(
        before limit: Int64,
        _ body: (LedgerIndex<Subscription>, SubscriptionReplay) -> Void
    ) {
        let journal = journal(before: limit)
        for offset in ledger.subscriptions.indices {
            let index = LedgerIndex<Subscription>(offset: offset)
            guard ledger.family.source(of: index) == nil else { continue }
            body(index, SubscriptionReplay(index, entries: journal[index] ?? [], of: self, before: limit))
        }
    }

    /// The first columns of every report, from App Name to Standard Subscription Duration.
    func productCells(of productId: String, groupId: String?) -> [String] {
        let product = catalog.products[productId]
        return [
            configuration.bundleId, String(configuration.appAppleId), product?.referenceName ?? productId,
            String(StoreIdentifier.adamId(ofProduct: productId)), groupId ?? "",
            product?.terms.map { ReportText.duration($0.period) } ?? "",
        ]
    }

    /// The developer's share of an amount, rounded to the minor unit of the currency; taxes are not played.
    func proceeds(
        of amount: Int64,
        isSeasoned: Bool,
        storefront: Storefront
    ) -> Int64 {
        let share = amount * (isSeasoned ? 85 : 70)
        let unit: Int64 = storefront.minorDigits == 0 ? 100_000 : 1_000
        return (share + unit / 2) / unit * unit / 100
    }

    /// Whether the price of a period is one that the subscriber was left with at a rise.
    func hasPreservedPrice(_ transaction: Transaction) -> Bool {
        guard !ledger.prices.isEmpty, transaction.offer == nil, transaction.ownership == .purchased else {
            return false
        }
        let country = storefront(of: transaction.index).country
        let date = ledger.journal.chargeDate(of: transaction)
        guard let change = ledger.prices.change(of: transaction.productId, in: country, at: date) else { return false }
        return change.isPreserving && change.price > transaction.price
    }
}

extension Transaction.AppliedOffer {
    /// The name of the offer, as far as it has one.
    var reportName: String { identifier ?? "" }

    /// The identifier that the developer set.
    var reportIdentifier: String { type == .promotional || type == .winBack ? identifier ?? "" : "" }

    /// How it is paid, as reports say it.
    var reportType: String {
        switch discountType {
        case .freeTrial: "Free Trial"
        case .payUpFront: "Pay Up Front"
        case .payAsYouGo: "Pay As You Go"
        default: ""
        }
    }
}
