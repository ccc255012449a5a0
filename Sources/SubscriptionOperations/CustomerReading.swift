public import SubscriptionCore
public import SubscriptionStorage

/// The state of a customer at a time.
public struct CustomerView: Hashable, Sendable {
    /// The customer.
    public var customer: CustomerRecord
    /// The time of the evaluation.
    public var evaluatedAt: Timestamp
    /// Subscriptions, by identifier.
    public var subscriptions: [SubscriptionState]
    /// One-time purchases, by identifier.
    public var purchases: [OneTimePurchaseState]
    /// Entitlements, by identifier.
    public var entitlements: [Entitlement]
    /// Eligibility for an introductory offer, by each subscription group with purchases of the customer.
    public var introductoryEligibility: [SubscriptionGroupID: Bool]
    /// The customer's products that give no access because no entitlement lists them.
    public var unassignedProducts: [ProductID] = []
    /// The app transaction identifier of each purchase that has one.
    public var appTransactionIDs: [OriginalTransactionID: String] = [:]
    /// Refused claims of the customer or on the customer's purchases; empty unless requested.
    public var refusedClaims: [RefusedClaimView] = []
    /// The explanation of each entitlement; empty unless requested.
    public var explanations: [EntitlementID: Explanation] = [:]
    /// The explanations of products that give no access or are missing from the list of products; empty unless
    /// requested.
    public var productExplanations: [ProductID: Explanation] = [:]
    /// The revision of the response, if it equals the stored state; nil if a change by time is not stored yet, and for
    /// past times.
    public var revision: ResponseRevision?
}

/// Reads what a customer may use. It writes nothing.
public struct CustomerReading: Sendable {
    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy
    private let time: any TimeSource
    private let cache = RevisionCache()

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy, time: any TimeSource) {
        self.database = database
        self.policy = policy
        self.time = time
    }

    /// The customer now or at a past time.
    ///
    /// A past state is derived from the stored inputs that were signed until then. It uses the customer's current
    /// purchases and the current definitions.
    ///
    /// - Parameters:
    ///   - id: The customer.
    ///   - app: The app of the caller's key.
    ///   - past: The past time; nil for now.
    ///   - isExplained: Whether to include explanations.
    ///   - includesRefusals: Whether to include refused claims. Then a customer with only refused claims is found too.
    /// - Throws: ``OperationError`` `customer_not_found`, `as_of_in_the_future`, or storage's codes.
    public func customer(
        _ id: CustomerID,
        of app: AppID,
        asOf past: Timestamp? = nil,
        isExplained: Bool = false,
        includesRefusals: Bool = false
    ) async throws(OperationError) -> CustomerView {
        let view = try await known(
            id,
            of: app,
            asOf: past,
            isExplained: isExplained,
            includesRefusals: includesRefusals
        )
        guard let view else { throw .customerNotFound }
        return view
    }

    /// Like ``customer(_:of:asOf:isExplained:includesRefusals:)``, but returns an empty view for an unknown customer.
    ///
    /// - Throws: ``OperationError`` `as_of_in_the_future`, or storage's codes.
    public func customerOrEmpty(
        _ id: CustomerID,
        of app: AppID,
        asOf past: Timestamp? = nil,
        isExplained: Bool = false
    ) async throws(OperationError) -> CustomerView {
        if let view = try await known(id, of: app, asOf: past, isExplained: isExplained) { return view }
        return CustomerView(withoutPurchases: id, now: past ?? time.now())
    }

    /// The customer, or an empty view, with the introductory eligibility in every known group of the app.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func offers(for id: CustomerID, of app: AppID) async throws(OperationError) -> CustomerView {
        var view = try await customerOrEmpty(id, of: app)
        do {
            let products = try await database.read { storage throws(StorageError) in try storage.knownProducts(of: app)
            }
            // The customer is eligible in a group without purchases.
            for group in products.compactMap(\.groupID) where view.introductoryEligibility[group] == nil {
                view.introductoryEligibility[group] = true
            }
            return view
        } catch {
            throw OperationError(error)
        }
    }

    /// The customer; nil if unknown.
    private func known(
        _ id: CustomerID,
        of app: AppID,
        asOf past: Timestamp?,
        isExplained: Bool,
        includesRefusals: Bool = false
    ) async throws(OperationError) -> CustomerView? {
        let present = time.reading
        guard past ?? present.now <= present.now else { throw .asOfInTheFuture }
        let clock = ClockReading(now: past ?? present.now, isDisputed: past == nil && present.isDisputed)
        let before = database.commits?.count(of: id, app: app)
        let found: (view: CustomerView, customer: CustomerRecord, validity: ResponseValidity?)?
        do {
            found = try await database.read { [policy] storage throws(StorageError) in
                guard let holdings = try storage.holdings(named: id, app: app) else {
                    guard includesRefusals, past == nil else { return nil }
                    guard let view = try storage.view(ofClaimant: id, app: app, now: clock.now) else { return nil }
                    return (view, view.customer, nil)
                }
                var view = try storage.view(
                    of: holdings,
                    app: app,
                    past: past,
                    clock: clock,
                    policy: policy,
                    isExplained: isExplained
                )
                if includesRefusals, past == nil {
                    let (customer, purchases) = (holdings.customer, holdings.purchases)
                    view.refusedClaims = try storage.refusedClaims(concerning: customer, purchases: purchases, app: app)
                }
                let validity = past == nil ? holdings.validity(at: clock) : nil
                if validity != nil { view.revision = ResponseRevision(of: holdings.customer, app: app) }
                // Responses for an alias are not cached, because commits are counted by the customer's own identifier.
                return (view, holdings.customer, holdings.customer.id == id ? validity : nil)
            }
        } catch {
            throw OperationError(error)
        }
        guard let found else { return nil }
        if let validity = found.validity, let revision = found.view.revision {
            cache.remember(
                .init(customer: found.customer, revision: revision, validity: validity, count: before, readAt: .now),
                app: app
            )
        }
        return found.view
    }

    /// The revision of the customer's current response, if it is known without making the response; otherwise nil.
    ///
    /// It reads at most one row.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func revision(of id: CustomerID, app: AppID) async throws(OperationError) -> ResponseRevision? {
        guard let entry = cache.entry(of: id, app: app), entry.validity.contains(time.now()) else { return nil }
        let count = database.commits?.count(of: id, app: app)
        let readAt = ContinuousClock.now
        if count != nil, count == entry.count, readAt - entry.readAt < RevisionCache.uncheckedMax {
            return entry.revision
        }
        let customer: CustomerRecord?
        do {
            customer = try await database.read { storage throws(StorageError) in try storage.customer(id, of: app) }
        } catch {
            throw OperationError(error)
        }
        // Something may have ended during the read.
        guard customer == entry.customer, entry.validity.contains(time.now()) else {
            cache.forget(id, app: app)
            return nil
        }
        cache.remember(
            .init(
                customer: entry.customer,
                revision: entry.revision,
                validity: entry.validity,
                count: count,
                readAt: readAt
            ),
            app: app
        )
        return entry.revision
    }
}

extension CustomerHoldings {
    /// The time from now on in which the stored state stays valid; nil if a change by time is already due.
    fileprivate func validity(at clock: ClockReading) -> ResponseValidity? {
        guard !clock.isDisputed else { return nil }
        let now = clock.now
        var ends: [Timestamp] = []
        for purchase in purchases {
            guard !clock.isBehind(purchase.evaluatedAt) else { return nil }
            guard let end = purchase.state?.nextChangeAt else { continue }
            guard end > now else { return nil }
            ends.append(end)
        }
        for grant in grants {
            let present = grant.state.grant.state(at: now)
            guard grant.state.grant.grantedAt <= now, present.isActive == grant.state.isActive else { return nil }
            if let end = present.nextChangeAt { ends.append(end) }
        }
        return ResponseValidity(from: now, until: ends.min())
    }
}

extension Entitlement {
    /// If the renewal is late, the entitlement ends with the leeway, because the end of the period has passed.
    fileprivate func awaiting(_ subscriptions: [SubscriptionState]) -> Entitlement {
        guard isActive, let state = subscriptions.first(where: { $0.id == purchaseID }) else { return self }
        var copy = self
        copy.graceExpiresAt = graceExpiresAt ?? state.nextPeriod.awaitedUntil
        return copy
    }
}

extension Grant {
    /// The grant as known at that time: a later revocation is ignored.
    fileprivate func known(at time: Timestamp) -> Grant {
        guard let revokedAt, revokedAt > time else { return self }
        var grant = self
        grant.revokedAt = nil
        return grant
    }
}

extension OperationError {
    static let customerNotFound = OperationError(
        "customer_not_found",
        "No customer has this app_user_id in this app and environment. Check the spelling, the app and the "
            + "environment of"
            + " your key. If the id is right, no purchase was submitted for this customer yet: restore purchases in the"
            + " app, or submit one with POST /v1/transactions.",
        kind: .notFound,
        parameter: "app_user_id"
    )

    fileprivate static let asOfInTheFuture = OperationError(
        "as_of_in_the_future",
        "as_of is in the future. Give the current time or an earlier one.",
        kind: .invalidRequest,
        parameter: "as_of"
    )
}

extension StorageReading {
    /// The stored data of the customer with an identifier or alias; nil if there is none.
    ///
    /// - Throws: ``StorageError``.
    func holdings(named name: CustomerID, app: AppID) throws(StorageError) -> CustomerHoldings? {
        if let holdings = try holdings(of: name, app: app) { return holdings }
        guard let alias = try alias(name, of: app) else { return nil }
        return try holdings(of: alias.customerID, app: app)
    }

    /// The view of a customer with only refused claims; nil if there are none.
    ///
    /// - Throws: ``StorageError``.
    fileprivate func view(
        ofClaimant name: CustomerID,
        app: AppID,
        now: Timestamp
    ) throws(StorageError) -> CustomerView? {
        guard let customer = try claimant(named: name, app: app) else { return nil }
        var view = CustomerView(
            customer: customer,
            states: [],
            grants: [],
            rule: EntitlementRule(definitions: []),
            now: now
        )
        view.refusedClaims = try refusedClaims(concerning: customer, purchases: [], app: app)
        return view
    }

    /// The state of a customer at a time.
    ///
    /// - Parameter past: The past time to derive; nil for now.
    /// - Throws: ``StorageError``.
    func view(
        of holdings: CustomerHoldings,
        app: AppID,
        past: Timestamp?,
        clock: ClockReading,
        policy: AccessPolicy,
        isExplained: Bool
    ) throws(StorageError) -> CustomerView {
        let now = clock.now
        let ledgers = LedgerReading(app: app, past: past, policy: policy, storage: self)
        let rule = EntitlementRule(definitions: holdings.definitions)
        let states = try ledgers.states(of: holdings.purchases, rule: rule, clock: clock)
        let grants =
            clock.isDisputed
            ? holdings.grants.map(\.state)
            : holdings.grants.map(\.state.grant).filter { past == nil || $0.grantedAt <= now }
                .map { $0.known(at: now).state(at: now) }
        var view = CustomerView(customer: holdings.customer, states: states, grants: grants, rule: rule, now: now)
        for purchase in holdings.purchases { view.appTransactionIDs[purchase.id] = purchase.appTransactionID }
        let unassigned = states.filter(rule.leavesUnassigned)
        view.unassignedProducts = Set(unassigned.map(\.productID)).sorted()
        if isExplained {
            view.explanations = try ledgers.explanations(of: view, rule: rule, grants: grants)
            view.productExplanations = try ledgers.explanations(
                ofUnassigned: Set(view.unassignedProducts),
                unlisted: try unlistedProducts(of: app),
                in: states,
                rule: rule,
                now: now
            )
        }
        return view
    }
}

extension CustomerView {
    /// A customer without purchases.
    fileprivate init(withoutPurchases id: CustomerID, now: Timestamp) {
        self.init(
            customer: CustomerRecord(id: id, firstSeenAt: now, stateVersion: 0),
            states: [],
            grants: [],
            rule: EntitlementRule(definitions: []),
            now: now
        )
    }

    fileprivate init(
        customer: CustomerRecord,
        states: [PurchaseState],
        grants: [GrantState],
        rule: EntitlementRule,
        now: Timestamp
    ) {
        var subscriptions: [SubscriptionState] = []
        var purchases: [OneTimePurchaseState] = []
        for state in states {
            switch state {
            case .subscription(let subscription): subscriptions.append(subscription)
            case .oneTime(let purchase): purchases.append(purchase)
            }
        }
        // A customer is eligible once per group, and not while a subscription of the group gives access.
        var eligibility: [SubscriptionGroupID: Bool] = [:]
        for subscription in subscriptions {
            guard let group = subscription.groupID else { continue }
            let eligible = !subscription.introductoryOfferUsed && !subscription.givesAccess
            eligibility[group] = (eligibility[group] ?? true) && eligible
        }
        self.init(
            customer: customer,
            evaluatedAt: now,
            subscriptions: subscriptions.sorted { $0.id < $1.id },
            purchases: purchases.sorted { $0.id < $1.id },
            entitlements: rule.entitlements(from: states, grants: grants).values.sorted { $0.id < $1.id }
                .map { $0.reported(at: now).awaiting(subscriptions) },
            introductoryEligibility: eligibility
        )
    }
}
