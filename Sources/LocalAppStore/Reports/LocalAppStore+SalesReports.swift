import AppStoreModel

extension LocalAppStore {
    /// The number of days for which App Store Connect keeps a daily report.
    private static let reportDaysKept = 365

    /// An App Store Connect report, computed from the ledger: tab-separated text with one header line.
    ///
    /// Days are in Pacific time, and a report is available as soon as the day has ended.
    ///
    /// - Source: App Store Connect API, Download Sales and Trends Reports.
    /// - Throws: `NOT_FOUND` for a day without data, before its end, or too long ago.
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

    /// The journal entries until a time, by subscription.
    func journal(before limit: Int64) -> [LedgerIndex<Subscription>: [SubscriptionJournal.Entry]] {
        Dictionary(grouping: ledger.journal.entries, by: \.subscription)
    }

    /// Calls a closure with every purchased subscription, replayed until a time.
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

    /// The developer's proceeds of an amount, rounded to the minor unit of the currency; taxes are not simulated.
    func proceeds(
        of amount: Int64,
        isSeasoned: Bool,
        storefront: Storefront
    ) -> Int64 {
        let share = amount * (isSeasoned ? 85 : 70)
        let unit: Int64 = storefront.minorDigits == 0 ? 100_000 : 1_000
        return (share + unit / 2) / unit * unit / 100
    }

    /// Whether the price of a period was preserved at an increase.
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
    /// The name of the offer, if it has one.
    var reportName: String { identifier ?? "" }

    /// The identifier set by the developer.
    var reportIdentifier: String { type == .promotional || type == .winBack ? identifier ?? "" : "" }

    /// The payment mode in the notation of reports.
    var reportType: String {
        switch discountType {
        case .freeTrial: "Free Trial"
        case .payUpFront: "Pay Up Front"
        case .payAsYouGo: "Pay As You Go"
        default: ""
        }
    }
}
