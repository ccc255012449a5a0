import AppStoreModel

/// The events of subscriptions other than sales of periods, oldest first for each. Transactions do not contain them
/// permanently, but reports of past days need them.
struct SubscriptionJournal: Sendable, Codable {
    /// An event.
    enum Event: Hashable, Sendable, Codable {
        case renewalTurnedOff
        case renewalTurnedOn
        case chargeFailed(hasGrace: Bool)
        case graceEnded
        /// Ended, with the reason; without one, by a refund or the end of sharing.
        case ended(ExpirationIntent?)
        /// A refund, thousandths of a percent.
        case refunded(LedgerIndex<Transaction>, percentage: Int32)
        case refundReversed(LedgerIndex<Transaction>)
        /// A refund of some of the seats of a transaction, thousandths of the currency unit.
        case seatsRefunded(LedgerIndex<Transaction>, amount: Int64)
        /// A refund of Advanced Commerce items of a transaction, thousandths of the currency unit, and whether it
        /// revoked the transaction.
        case itemsRefunded(LedgerIndex<Transaction>, amount: Int64, isRevoked: Bool)
        /// Active again after the refund of the current period was reversed.
        case resumed
        /// Continues with a period whose refund was reversed, in place of the newest one.
        case continued(with: LedgerIndex<Transaction>)
        /// The end of the current period moved.
        case extended(milliseconds: Int64)
        /// A family member got access.
        case shared
    }

    /// An event with its time.
    struct Entry: Hashable, Sendable, Codable {
        let date: Int64
        let subscription: LedgerIndex<Subscription>
        /// The first later transaction.
        let next: LedgerIndex<Transaction>
        let event: Event

        /// The keys of the store's file.
        private enum CodingKeys: String, CodingKey {
            case date, subscription, next
            case event = "happening"
        }
    }

    private(set) var entries = RecordList<Entry>()
    /// When a period was charged, if not at its start.
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
    /// Records an event of a subscription at the current time for reports.
    mutating func note(_ event: SubscriptionJournal.Event, of index: LedgerIndex<Subscription>) {
        ledger.journal.append(
            SubscriptionJournal.Entry(
                date: now,
                subscription: index,
                next: ledger.nextTransaction,
                event: event
            )
        )
    }
}

extension Subscription.State {
    /// Why a subscription in this state has ended; `nil` after a refund.
    var finalIntent: ExpirationIntent? {
        switch self {
        case .expired(let intent): intent
        case .revoked: nil
        case .active, .gracePeriod, .billingRetry: .other
        }
    }
}
