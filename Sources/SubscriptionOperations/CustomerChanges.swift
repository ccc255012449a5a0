import SubscriptionCore
import SubscriptionStorage

/// The effect of a step on its customers: compares their entitlements before and after it.
struct CustomerChanges {
    private let app: AppID
    private let now: Timestamp
    private let recordsEvents: Bool
    private let storage: any StorageWriting
    /// The entitlements of each customer before the step, in order of customer.
    private let before: [Before]

    private struct Before {
        let customer: CustomerID
        let sources: EntitlementSources
        let entitlements: [EntitlementID: Entitlement]
    }

    /// Reads the customers before the step changes a purchase or the entitlement rule.
    ///
    /// - Parameter recordsEvents: Whether changes are recorded as events; versions count in any case.
    /// - Throws: ``StorageError``.
    init(
        of customers: [CustomerID],
        app: AppID,
        now: Timestamp,
        recordsEvents: Bool = true,
        storage: any StorageWriting
    ) throws(StorageError) {
        let rule = try storage.entitlementRule(of: app)
        try self.init(
            of: customers,
            under: rule,
            app: app,
            now: now,
            recordsEvents: recordsEvents,
            storage: storage
        )
    }

    /// Reads the customers under the old entitlement rule, for a step that changes the rule.
    ///
    /// - Throws: ``StorageError``.
    init(
        of customers: [CustomerID],
        under rule: EntitlementRule,
        app: AppID,
        now: Timestamp,
        recordsEvents: Bool = true,
        storage: any StorageWriting
    ) throws(StorageError) {
        self.app = app
        self.now = now
        self.recordsEvents = recordsEvents
        self.storage = storage
        var before: [Before] = []
        for customer in Set(customers).sorted() {
            let sources = try EntitlementSources(of: customer, app: app, storage: storage)
            let entitlements = sources.entitlements(under: rule, at: now)
            before.append(Before(customer: customer, sources: sources, entitlements: entitlements))
        }
        self.before = before
    }

    /// Records the purchase's events for its owner and each customer's entitlement events, and increments the version
    /// (`stateVersion`) of each changed customer. A customer is changed if `changed` is true or their entitlements
    /// differ; events alone do not increment the version.
    ///
    /// - Parameters:
    ///   - events: The events of the purchase.
    ///   - owner: The current owner of the purchase.
    ///   - changed: Whether the purchase or its owner changed.
    ///   - purchase: The purchase, if it is the only change: then the customers' other purchases are not read again.
    /// - Throws: ``StorageError``.
    func recordAndBumpVersions(
        events: [SubscriptionEvent],
        owner: CustomerID?,
        changed: Bool,
        purchase: PurchaseRecord? = nil
    ) throws(StorageError) {
        if owner == nil, recordsEvents {
            try storage.append(events, customer: nil, recordedAt: now, app: app)
        }
        let rule = try storage.entitlementRule(of: app)
        for old in before {
            let customer = old.customer
            let sources: EntitlementSources
            if let purchase {
                sources = old.sources.with(purchase, of: customer)
            } else {
                sources = try EntitlementSources(of: customer, app: app, storage: storage)
            }
            let after = sources.entitlements(under: rule, at: now)
            let own = customer == owner ? events : []
            let change = EntitlementChange(
                before: old.entitlements,
                after: after,
                purchases: sources.purchaseIDs,
                now: now
            )
            let all = own + change.events
            let isChanged = changed || after != old.entitlements
            guard isChanged || !all.isEmpty else { continue }
            var record =
                try storage.customer(customer, of: app)
                ?? CustomerRecord(id: customer, firstSeenAt: now, stateVersion: 0)
            if isChanged {
                record.stateVersion += 1
                try storage.save(record, of: app)
            }
            guard recordsEvents else { continue }
            try storage.append(all, customer: record, recordedAt: now, app: app)
        }
    }
}

extension StorageReading {
    /// The entitlement rule of an app.
    ///
    /// - Throws: ``StorageError``.
    func entitlementRule(of app: AppID) throws(StorageError) -> EntitlementRule {
        EntitlementRule(definitions: try entitlementDefinitions(of: app))
    }
}

/// The purchases and grants of a customer with their stored states.
private struct EntitlementSources {
    private var purchases: [PurchaseRecord]
    private let grants: [GrantState]

    init(of customer: CustomerID, app: AppID, storage: any StorageReading) throws(StorageError) {
        purchases = try storage.purchases(of: customer, app: app)
        grants = try storage.grants(of: customer, app: app).map(\.state)
    }

    /// The sources after a purchase or its owner changed.
    func with(_ purchase: PurchaseRecord, of customer: CustomerID) -> EntitlementSources {
        var sources = self
        sources.purchases.removeAll { $0.id == purchase.id }
        if purchase.customerID == customer { sources.purchases.append(purchase) }
        return sources
    }

    var purchaseIDs: Set<OriginalTransactionID> { Set(purchases.map(\.id)) }

    func entitlements(under rule: EntitlementRule, at now: Timestamp) -> [EntitlementID: Entitlement] {
        rule.entitlements(from: purchases.compactMap(\.state), grants: grants).mapValues { $0.reported(at: now) }
    }
}
