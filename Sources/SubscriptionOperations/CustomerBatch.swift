import SubscriptionCore
import SubscriptionStorage

/// Collects the changes of customers by several updates in one transaction. It reads customers before the first update
/// and records their changes once after the last.
///
/// A receipt may have a thousand purchases. Reading all purchases of the customer for each of them would take quadratic
/// time.
final class CustomerBatch {
    private let app: AppID
    private let recordsEvents: Bool
    private let storage: any StorageWriting
    private var before: [CustomerID: CustomerChanges] = [:]
    private var changed: Set<CustomerID> = []
    private var events: [CustomerID: [SubscriptionEvent]] = [:]

    init(app: AppID, recordsEvents: Bool, storage: any StorageWriting) {
        self.app = app
        self.recordsEvents = recordsEvents
        self.storage = storage
    }

    /// Reads the customers of the next update that were not read before.
    ///
    /// - Throws: ``StorageError``.
    func addCustomers(_ customers: [CustomerID], now: Timestamp) throws(StorageError) {
        for customer in customers where before[customer] == nil {
            before[customer] = try CustomerChanges(
                of: [customer],
                app: app,
                now: now,
                recordsEvents: recordsEvents,
                storage: storage
            )
        }
    }

    /// Adds the result of an update. Events of a purchase without an owner are recorded at once.
    ///
    /// - Throws: ``StorageError``.
    func add(
        _ newEvents: [SubscriptionEvent],
        owner: CustomerID?,
        changed isChanged: Bool,
        of customers: [CustomerID],
        now: Timestamp
    ) throws(StorageError) {
        if isChanged { changed.formUnion(customers) }
        if let owner {
            events[owner, default: []] += newEvents
        } else if recordsEvents {
            try storage.append(newEvents, customer: nil, recordedAt: now, app: app)
        }
    }

    /// Records the collected events of each customer, bumps the versions of changed customers, and clears the batch.
    ///
    /// - Throws: ``StorageError``.
    func recordAndBumpVersions() throws(StorageError) {
        let done = (before: before, changed: changed, events: events)
        (before, changed, events) = ([:], [], [:])
        for (customer, changes) in done.before.sorted(by: { $0.key < $1.key }) {
            let isChanged = done.changed.contains(customer)
            try changes.recordAndBumpVersions(events: done.events[customer] ?? [], owner: customer, changed: isChanged)
        }
    }
}
