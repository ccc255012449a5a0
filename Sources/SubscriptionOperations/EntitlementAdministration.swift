import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Changes which products give which entitlement.
public struct EntitlementAdministration: Sendable {
    /// The number of customers read at once. It limits memory; all pages are in one transaction.
    private static let pageSize = 500

    private let database: any SubscriptionDatabase
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, time: any TimeSource) {
        self.database = database
        self.time = time
    }

    /// Adds or replaces a definition, also for earlier purchases.
    ///
    /// One transaction stores the definition and the events and versions of all affected customers, so readers see both
    /// or neither. Its duration is proportional to the number of customers. Repeating it changes nothing.
    ///
    /// - Returns: Its products that were never sold and are not listed: they are probably misspelt.
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
                if !old.contains(definition) {
                    let before = EntitlementRule(definitions: old)
                    try storage.save(definition, of: app)
                    try storage.recordNewRule(
                        insteadOf: before,
                        app: app,
                        now: now,
                        updatesGracePeriods: definition.billingRetryGraceDays > 0
                            || old.contains { $0.billingRetryGraceDays > 0 },
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
                }
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
    /// Records the effects of a changed rule on each customer of an app.
    fileprivate func recordNewRule(
        insteadOf before: EntitlementRule,
        app: AppID,
        now: Timestamp,
        updatesGracePeriods: Bool,
        pageSize: Int
    ) throws(StorageError) {
        let rule = try entitlementRule(of: app)
        var last: CustomerID?
        while true {
            let page = try customers(of: app, after: last, limit: pageSize).map(\.id)
            let changes = try CustomerChanges(of: page, under: before, app: app, now: now, storage: self)
            if updatesGracePeriods {
                for customer in page { try updateGracePeriods(purchasesOf: customer, app: app, under: rule, now: now) }
            }
            try changes.recordAndBumpVersions(events: [], owner: nil, changed: false)
            last = page.last
            if page.count < pageSize { return }
        }
    }

    /// Updates the ends of own grace periods in the states of a customer's subscriptions.
    private func updateGracePeriods(
        purchasesOf customer: CustomerID,
        app: AppID,
        under rule: EntitlementRule,
        now: Timestamp
    ) throws(StorageError) {
        for stored in try purchases(of: customer, app: app) {
            guard let state = stored.state, rule.timed(state, at: now) != state else { continue }
            guard var record = try purchase(stored.id, of: app), let state = record.state else { continue }
            record.state = rule.timed(state, at: now)
            try save(record, of: app)
        }
    }
}
