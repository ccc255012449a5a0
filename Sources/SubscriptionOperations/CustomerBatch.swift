import SubscriptionCore
import SubscriptionStorage

/// What several updates of one transaction do to customers: looked at before the first, and recorded once after the
/// last.
///
/// A receipt may have a thousand purchases. To look at all of a customer's purchases for each of them would take the
/// square of their number.
final class CustomerBatch {
    private let app: AppID
    private let storage: any StorageWriting
    private var before: [CustomerID: CustomerChanges] = [:]
    private var changed: Set<CustomerID> = []
    private var events: [CustomerID: [SubscriptionEvent]] = [:]

    init(app: AppID, storage: any StorageWriting) {
        self.app = app
        self.storage = storage
    }

    /// Looks at customers whom an update is about to touch, where none before did.
    ///
    /// - Throws: ``StorageError``.
    func look(at customers: [CustomerID], now: Timestamp) throws(StorageError) {
        for customer in customers where before[customer] == nil {
            before[customer] = try CustomerChanges(of: [customer], app: app, now: now, storage: storage)
        }
    }

    /// Notes what an update did. Events of a purchase that nobody has are recorded at once.
    ///
    /// - Throws: ``StorageError``.
    func note(
        _ news: [SubscriptionEvent],
        owner: CustomerID?,
        changed isChanged: Bool,
        of customers: [CustomerID],
        now: Timestamp
    ) throws(StorageError) {
        if isChanged { changed.formUnion(customers) }
        if let owner {
            events[owner, default: []] += news
        } else {
            try storage.append(news, customer: nil, recordedAt: now, app: app)
        }
    }

    /// Records everything that was noted, customer by customer, and begins anew.
    ///
    /// - Throws: ``StorageError``.
    func record() throws(StorageError) {
        let done = (before: before, changed: changed, events: events)
        (before, changed, events) = ([:], [], [:])
        for (customer, changes) in done.before.sorted(by: { $0.key < $1.key }) {
            let isChanged = done.changed.contains(customer)
            try changes.record(events: done.events[customer] ?? [], owner: customer, changed: isChanged)
        }
    }
}
