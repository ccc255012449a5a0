import AppStoreModel
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
    /// The definition, and the events and versions of every customer whose entitlements it changes, are one
    /// transaction: no one ever reads the one without the other. It takes as long as the app has customers.
    ///
    /// - Returns: Products of it that nothing has ever sold and that are in no list of products: probably misspelt.
    /// - Throws: ``OperationError`` with storage's codes.
    public func define(
        _ definition: EntitlementDefinition,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> [ProductID] {
        let now = time.now()
        do {
            return try await database.write { storage throws(StorageError) in
                let old = try storage.entitlementDefinitions(of: app)
                let before = EntitlementRule(definitions: old)
                try storage.save(definition, of: app)
                try storage.recordNewRule(
                    insteadOf: before,
                    app: app,
                    now: now,
                    timesAnew: definition.billingRetryGraceDays > 0 || old.contains { $0.billingRetryGraceDays > 0 },
                    pageSize: Self.pageSize
                )
                try storage.audit(
                    .entitlementDefined,
                    .entitlement(definition.id),
                    by: who,
                    app: app,
                    at: now,
                    before: old.first { $0.id == definition.id }.map(AuditedValue.init),
                    after: AuditedValue(definition)
                )
                let known = Set(try storage.knownProducts(of: app).map(\.id))
                return definition.productIDs.filter { !known.contains($0) }
            }
        } catch {
            throw OperationError(error)
        }
    }
}

extension AuditedValue {
    fileprivate init(_ definition: EntitlementDefinition) {
        self.init([
            "product_ids": .array(definition.productIDs.map { .string($0.rawValue) }),
            "billing_retry_grace_days": .integer(Int64(definition.billingRetryGraceDays)),
        ])
    }
}

extension StorageWriting {
    /// Records what a changed rule does to each customer of an app.
    fileprivate func recordNewRule(
        insteadOf before: EntitlementRule,
        app: AppID,
        now: Timestamp,
        timesAnew: Bool,
        pageSize: Int
    ) throws(StorageError) {
        let rule = try entitlementRule(of: app)
        var last: CustomerID?
        while true {
            let page = try customers(of: app, after: last, limit: pageSize).map(\.id)
            let changes = try CustomerChanges(of: page, under: before, app: app, now: now, storage: self)
            if timesAnew {
                for customer in page { try timeAnew(purchasesOf: customer, app: app, under: rule, now: now) }
            }
            try changes.record(events: [], owner: nil, changed: false)
            last = page.last
            if page.count < pageSize { return }
        }
    }

    /// Sets when the own grace periods of a customer's subscriptions end.
    private func timeAnew(
        purchasesOf customer: CustomerID,
        app: AppID,
        under rule: EntitlementRule,
        now: Timestamp
    ) throws(StorageError) {
        for held in try purchases(of: customer, app: app) {
            guard let state = held.state, rule.timed(state, at: now) != state else { continue }
            guard var record = try purchase(held.id, of: app), let state = record.state else { continue }
            record.state = rule.timed(state, at: now)
            try save(record, of: app)
        }
    }
}
