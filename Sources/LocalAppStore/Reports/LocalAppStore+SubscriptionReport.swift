import AppStoreModel

extension LocalAppStore {
    /// The device of every customer, because the store does not know devices.
    static let reportDevice = "iPhone"

    private static let subscriptionColumns = [
        "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID", "Subscription Group ID",
        "Standard Subscription Duration", "Subscription Offer Name", "Promotional Offer ID", "Customer Price",
        "Customer Currency", "Developer Proceeds", "Proceeds Currency", "Preserved Pricing", "Proceeds Reason",
        "Client", "Device", "State", "Country", "Active Standard Price Subscriptions",
        "Active Free Trial Introductory Offer Subscriptions", "Active Pay Up Front Introductory Offer Subscriptions",
        "Active Pay As You Go Introductory Offer Subscriptions", "Free Trial Promotional Offer Subscriptions",
        "Pay Up Front Promotional Offer Subscriptions", "Pay As You Go Promotional Offer Subscriptions",
        "Free Trial Offer Code Subscriptions", "Pay Up Front Offer Code Subscriptions",
        "Pay As You Go Offer Code Subscriptions", "Marketing Opt-Ins", "Billing Retry", "Grace Period", "Subscribers",
    ]

    private static let winBackColumns = [
        "Free Trial Win-back Offers", "Pay Up Front Win-back Offers", "Pay As You Go Win-back Offers",
    ]

    /// The minimum number of subscriptions, minus one, for a line that includes a number of people.
    private static let anonymousMax = 3

    /// The number of subscriptions at the end of a day; `nil` if there were none.
    func subscriptionReport(of day: PacificDay, version: String) -> String? {
        let columns = Self.subscriptionColumns + (version == "1_3" ? [] : Self.winBackColumns)
        let first = 18
        var table = ReportTable(columns: columns, counted: first..<columns.count)
        let members = familyMembers(at: day.end)
        replayAll(before: day.end) { index, replay in
            guard replay.isLive, let latest = replay.latest else { return }
            let transaction = ledger[latest]
            let isSeasoned = replay.seasoned.contains(latest)
            var counts = [Self.column(of: transaction, in: replay.condition): 1]
            if replay.condition != .billingRetry { counts["Subscribers"] = 1 + (members[index] ?? 0) }
            table.add(cells(of: transaction, isSeasoned: isSeasoned), counts)
        }
        guard !table.isEmpty else { return nil }
        return table.text { column, counts in
            guard column == "Subscribers" else { return false }
            let subscriptions = counts.filter { $0.key != "Subscribers" }.values.reduce(0, +)
            return subscriptions <= Self.anonymousMax
        }
    }

    private func cells(of transaction: Transaction, isSeasoned: Bool) -> [String] {
        let storefront = storefront(of: transaction.index)
        let proceeds = proceeds(of: transaction.price, isSeasoned: isSeasoned, storefront: storefront)
        return productCells(of: transaction.productId, groupId: transaction.groupId) + [
            transaction.offer?.reportName ?? "", transaction.offer?.reportIdentifier ?? "",
            ReportText.amount(transaction.price), storefront.currency, ReportText.amount(proceeds),
            storefront.currency, hasPreservedPrice(transaction) ? "Yes" : "",
            isSeasoned ? "Rate After One Year" : "", "", Self.reportDevice, "", storefront.twoLetterCountry,
        ]
    }

    /// The single column in which an active subscription counts.
    private static func column(of transaction: Transaction, in condition: SubscriptionReplay.Condition) -> String {
        switch condition {
        case .billingRetry: return "Billing Retry"
        case .gracePeriod: return "Grace Period"
        case .active, .ended, .unsold: break
        }
        guard let offer = transaction.offer else { return "Active Standard Price Subscriptions" }
        switch offer.type {
        case .introductory: return "Active \(offer.reportType) Introductory Offer Subscriptions"
        case .promotional: return "\(offer.reportType) Promotional Offer Subscriptions"
        case .offerCode: return "\(offer.reportType) Offer Code Subscriptions"
        default: return "\(offer.reportType) Win-back Offers"
        }
    }

    /// The number of family members of each purchaser's subscription at a time.
    private func familyMembers(at limit: Int64) -> [LedgerIndex<Subscription>: Int] {
        guard !ledger.family.isEmpty else { return [:] }
        var sharing: Set<LedgerIndex<Subscription>> = []
        for entry in ledger.journal.entries where entry.date < limit {
            switch entry.event {
            case .shared: sharing.insert(entry.subscription)
            case .ended: sharing.remove(entry.subscription)
            default: continue
            }
        }
        var members: [LedgerIndex<Subscription>: Int] = [:]
        for copy in sharing where ledger[ledger[copy].latest].ownership == .familyShared {
            if let source = ledger.family.source(of: copy) { members[source.subscription, default: 0] += 1 }
        }
        return members
    }
}
