public import SubscriptionCore
public import SubscriptionStorage

/// Changes which products give which entitlement.
public struct EntitlementAdministration: Sendable {
    /// How many customers are looked at together; bounds memory, not the transaction.
    private static let pageSize = 500

    private let database: any SubscriptionDatabase
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, time: any TimeSource) {
        self.database = database
        self.time = time
    }

    /// Adds or replaces a definition, for purchases made before too.
    ///
    /// The definition, and the events and versions of every customer whose entitlements it changes, are one transaction:
    /// no one ever reads the one without the other. It takes as long as the app has customers.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func define(_ definition: EntitlementDefinition, app: AppID) async throws(OperationError) {
        let now = time.now()
        do {
            try await database.write { storage throws(StorageError) in
                let before = try storage.entitlementRule(of: app)
                try storage.save(definition, of: app)
                try storage.recordNewRule(insteadOf: before, app: app, now: now, pageSize: Self.pageSize)
            }
        } catch {
            throw OperationError(error)
        }
    }
}

extension StorageWriting {
    /// Records what a changed rule does to each customer of an app.
    fileprivate func recordNewRule(
        insteadOf before: EntitlementRule,
        app: AppID,
        now: Timestamp,
        pageSize: Int
    ) throws(StorageError) {
        var last: CustomerID?
        while true {
            let page = try customers(of: app, after: last, limit: pageSize).map(\.id)
            let changes = try CustomerChanges(of: page, under: before, app: app, now: now, storage: self)
            try changes.record(events: [], owner: nil, changed: false)
            last = page.last
            if page.count < pageSize { return }
        }
    }
}
