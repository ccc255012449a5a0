import AppStoreModel

/// What happened to subscriptions beside the sale of periods, oldest first for each: what the transactions do not tell,
/// or forget again, and what reports of past days need.
struct SubscriptionJournal: Sendable, Codable {
    /// One thing that happened.
    enum Happening: Hashable, Sendable, Codable {
        case renewalTurnedOff
        case renewalTurnedOn
        case chargeFailed(hasGrace: Bool)
        case graceEnded
        /// Over, with the reason; without one, by a refund, or because a family shares no more.
        case ended(ExpirationIntent?)
        /// Money was given back, thousandths of a percent.
        case refunded(LedgerIndex<Transaction>, percentage: Int32)
        case refundReversed(LedgerIndex<Transaction>)
        /// Active again, since the refund of the present period was taken back.
        case resumed
        /// The end of the present period moved.
        case extended(milliseconds: Int64)
        /// A family member has its part.
        case shared
    }

    /// One thing that happened, and when.
    struct Entry: Hashable, Sendable, Codable {
        let date: Int64
        let subscription: LedgerIndex<Subscription>
        /// The first transaction that came later.
        let next: LedgerIndex<Transaction>
        let happening: Happening
    }

    private(set) var entries = RecordList<Entry>()
    /// When a period was charged, where that was not at its start.
    private var chargeDates: [LedgerIndex<Transaction>: Int64] = [:]

    mutating func append(_ entry: Entry) { entries.append(entry) }

    mutating func noteCharge(of transaction: LedgerIndex<Transaction>, startingAt start: Int64, at now: Int64) {
        if start != now { chargeDates[transaction] = now }
    }

    /// When a period was charged, milliseconds since 1970.
    func chargeDate(of transaction: Transaction) -> Int64 {
        chargeDates[transaction.index] ?? transaction.purchaseDate
    }
}

extension LocalAppStore {
    /// Keeps for the reports what happens to a subscription now.
    mutating func note(_ happening: SubscriptionJournal.Happening, of index: LedgerIndex<Subscription>) {
        ledger.journal.append(
            SubscriptionJournal.Entry(
                date: now,
                subscription: index,
                next: ledger.nextTransaction,
                happening: happening
            )
        )
    }
}

extension Subscription.State {
    /// Why a subscription in this state is over; `nil` after a refund.
    var finalIntent: ExpirationIntent? {
        switch self {
        case .expired(let intent): intent
        case .revoked: nil
        case .active, .gracePeriod, .billingRetry: .other
        }
    }
}
