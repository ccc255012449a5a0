import SubscriptionCore
import SubscriptionStorage

/// What one step does to the customers it touches: their entitlements before, and the events after.
struct CustomerChanges {
    private let app: AppID
    private let now: Timestamp
    private let storage: any StorageWriting
    /// The entitlements before the step, in order of customer.
    private let before: [(customer: CustomerID, entitlements: [EntitlementID: Entitlement])]

    /// Looks at the customers before anything changes: neither a purchase nor the rule of their app.
    ///
    /// - Throws: ``StorageError``.
    init(
        of customers: [CustomerID],
        app: AppID,
        now: Timestamp,
        storage: any StorageWriting
    ) throws(StorageError) {
        let rule = try storage.entitlementRule(of: app)
        try self.init(of: customers, under: rule, app: app, now: now, storage: storage)
    }

    /// Looks at customers whose app's rule has changed or will change, under the rule before.
    ///
    /// - Throws: ``StorageError``.
    init(
        of customers: [CustomerID],
        under rule: EntitlementRule,
        app: AppID,
        now: Timestamp,
        storage: any StorageWriting
    ) throws(StorageError) {
        self.app = app
        self.now = now
        self.storage = storage
        var before: [(customer: CustomerID, entitlements: [EntitlementID: Entitlement])] = []
        for customer in Set(customers).sorted() {
            before.append((customer, try storage.entitlements(of: customer, app: app, rule: rule)))
        }
        self.before = before
    }

    /// Records what the step did: the purchase's events under its owner, then each customer's entitlement events.
    ///
    /// - Parameters:
    ///   - events: What happened to the purchase.
    ///   - owner: Whose purchase it is now.
    ///   - changed: Whether the purchase or its owner changed at all. Entitlements that differ are a change by themselves;
    ///     events alone are none, and leave the version as it is.
    /// - Throws: ``StorageError``.
    func record(events: [SubscriptionEvent], owner: CustomerID?, changed: Bool) throws(StorageError) {
        if owner == nil {
            try storage.append(events, customer: nil, recordedAt: now, app: app)
        }
        let rule = try storage.entitlementRule(of: app)
        for (customer, entitlements) in before {
            let after = try storage.entitlements(of: customer, app: app, rule: rule)
            let own = customer == owner ? events : []
            let all = own + EntitlementChange(before: entitlements, after: after, now: now).events
            let isChanged = changed || after != entitlements
            guard isChanged || !all.isEmpty else { continue }
            var record =
                try storage.customer(customer, of: app)
                ?? CustomerRecord(id: customer, firstSeenAt: now, stateVersion: 0)
            if isChanged {
                record.stateVersion += 1
                try storage.save(record, of: app)
            }
            try storage.append(all, customer: record, recordedAt: now, app: app)
        }
    }
}

extension StorageReading {
    /// The rule by which an app's purchases give entitlements.
    ///
    /// - Throws: ``StorageError``.
    func entitlementRule(of app: AppID) throws(StorageError) -> EntitlementRule {
        EntitlementRule(definitions: try entitlementDefinitions(of: app))
    }

    /// A customer's entitlements by the states, of purchases and grants, as they are stored.
    fileprivate func entitlements(
        of customer: CustomerID,
        app: AppID,
        rule: EntitlementRule
    ) throws(StorageError) -> [EntitlementID: Entitlement] {
        rule.entitlements(
            from: try purchases(of: customer, app: app).compactMap(\.state),
            grants: try grants(of: customer, app: app).map(\.state)
        )
    }
}
