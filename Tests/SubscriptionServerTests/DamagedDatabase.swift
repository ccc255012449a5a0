import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting

/// A database in which the facts and the state of one purchase cannot be read.
struct DamagedDatabase: SubscriptionDatabase {
    let base: any SubscriptionDatabase
    let unreadable: OriginalTransactionID
    /// Whether the purchase is still damaged.
    var isDamaged: @Sendable () -> Bool = { true }
    /// Whether reads fail too, not only changes.
    var damagesReads = false

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        guard damagesReads, isDamaged() else { return try await base.read(body) }
        // Only a transaction that may write can be wrapped.
        return try await write(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        guard isDamaged() else { return try await base.write(body) }
        return try await base.write { [unreadable] storage throws(StorageError) in
            try body(DamagedStorage(base: storage) { $0 == unreadable })
        }
    }

    func close() async throws(StorageError) { try await base.close() }
}

/// Forwards to the database, except for the damaged purchase.
struct DamagedStorage: ForwardingWrites {
    let forwardedWrites: any StorageWriting
    let damage: StorageError
    let isUnreadable: (OriginalTransactionID) -> Bool

    init(
        base: any StorageWriting,
        damage: StorageError = StorageError(.corrupt, "A stored value cannot be read.", isRetryable: false),
        isUnreadable: @escaping (OriginalTransactionID) -> Bool
    ) {
        forwardedWrites = base
        self.damage = damage
        self.isUnreadable = isUnreadable
    }

    func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger {
        guard !isUnreadable(purchase) else { throw damage }
        return try forwarded.ledger(of: purchase, app: app)
    }

    func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord? {
        guard !isUnreadable(id) else { throw damage }
        return try forwarded.purchase(id, of: app)
    }

    func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord] {
        let purchases = try forwarded.purchases(of: customer, app: app)
        guard !purchases.contains(where: { isUnreadable($0.id) }) else { throw damage }
        return purchases
    }

    func purchases(ofAppTransaction id: String, app: AppID) throws(StorageError) -> [PurchaseRecord] {
        let purchases = try forwarded.purchases(ofAppTransaction: id, app: app)
        guard !purchases.contains(where: { isUnreadable($0.id) }) else { throw damage }
        return purchases
    }
}
