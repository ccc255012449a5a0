import SubscriptionCore
import SubscriptionStorage

/// What one step does to the customers it touches: their entitlements before, and the events after.
struct CustomerChanges {
    private let app: AppID
    private let now: Timestamp
    private let storage: any StorageWriting
    /// What each customer had before the step, in order of customer.
    private let before: [Before]

    private struct Before {
        let customer: CustomerID
        let sources: EntitlementSources
        let entitlements: [EntitlementID: Entitlement]
    }

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
        var before: [Before] = []
        for customer in Set(customers).sorted() {
            let sources = try EntitlementSources(of: customer, app: app, storage: storage)
            let entitlements = sources.entitlements(under: rule, at: now)
            before.append(Before(customer: customer, sources: sources, entitlements: entitlements))
        }
        self.before = before
    }

    /// Records what the step did: the purchase's events under its owner, then each customer's entitlement events.
    ///
    /// - Parameters:
    ///   - events: What happened to the purchase.
    ///   - owner: Whose purchase it is now.
    ///   - changed: Whether the purchase or its owner changed at all. Entitlements that differ are a change by
    ///     themselves; events alone are none, and leave the version as it is.
    ///   - purchase: The one purchase that changed, where nothing else did: what the customers have now follows from
    ///     it, and is not read again.
    /// - Throws: ``StorageError``.
    func record(
        events: [SubscriptionEvent],
        owner: CustomerID?,
        changed: Bool,
        purchase: PurchaseRecord? = nil
    ) throws(StorageError) {
        if owner == nil {
            try storage.append(events, customer: nil, recordedAt: now, app: app)
        }
        let rule = try storage.entitlementRule(of: app)
        for held in before {
            let customer = held.customer
            let sources: EntitlementSources
            if let purchase {
                sources = held.sources.with(purchase, of: customer)
            } else {
                sources = try EntitlementSources(of: customer, app: app, storage: storage)
            }
            let after = sources.entitlements(under: rule, at: now)
            let own = customer == owner ? events : []
            let change = EntitlementChange(
                before: held.entitlements,
                after: after,
                purchases: sources.purchaseIDs,
                now: now
            )
            let all = own + change.events
            let isChanged = changed || after != held.entitlements
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
}

/// What gives a customer entitlements: purchases and grants, by the states in which they are stored.
private struct EntitlementSources {
    private var purchases: [PurchaseRecord]
    private let grants: [GrantState]

    init(of customer: CustomerID, app: AppID, storage: any StorageReading) throws(StorageError) {
        purchases = try storage.purchases(of: customer, app: app)
        grants = try storage.grants(of: customer, app: app).map(\.state)
    }

    /// The same after a purchase changed, or changed hands.
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
