public import SubscriptionCore
public import SubscriptionStorage

/// A customer at an instant.
public struct CustomerView: Hashable, Sendable {
    /// The customer.
    public var customer: CustomerRecord
    /// The instant at which everything was evaluated.
    public var evaluatedAt: Timestamp
    /// Subscriptions, by identifier.
    public var subscriptions: [SubscriptionState]
    /// One-time purchases, by identifier.
    public var purchases: [OneTimePurchaseState]
    /// Entitlements, by identifier.
    public var entitlements: [Entitlement]
    /// Whether an introductory offer may be had, by subscription group that the customer has history in.
    public var introductoryEligibility: [SubscriptionGroupID: Bool]
    /// Products that the customer has and that give nothing, because no entitlement names them.
    public var unassignedProducts: [ProductID] = []
    /// The store's account of each purchase that names one.
    public var appTransactionIDs: [OriginalTransactionID: String] = [:]
    /// Claims of the customer, or on the customer's purchases, that were refused; empty unless asked for.
    public var refusedClaims: [RefusedClaimView] = []
    /// Why each entitlement is what it is; empty unless asked for.
    public var explanations: [EntitlementID: Explanation] = [:]
    /// What is the matter with a product: it gives nothing, or is in no list of products; empty unless asked for.
    public var productExplanations: [ProductID: Explanation] = [:]
    /// Names the answer, where all of it stands as it is stored; nil where the clock has passed something since, and
    /// for the past.
    public var mark: AnswerMark?
}

/// Answers what a customer may use. Reading creates nothing.
public struct CustomerReading: Sendable {
    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy
    private let time: any TimeSource
    private let recent = RecentAnswers()

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy, time: any TimeSource) {
        self.database = database
        self.policy = policy
        self.time = time
    }

    /// The customer now, or at an instant of the past.
    ///
    /// The past is told again from the kept inputs: by what was signed until then, of the purchases that are the
    /// customer's now, under the present definitions.
    ///
    /// - Parameters:
    ///   - id: The customer.
    ///   - app: The app of the caller's key.
    ///   - past: The instant asked about; now without it.
    ///   - isExplained: Whether to say why each entitlement is what it is.
    ///   - tellsRefusals: Whether to tell of refused claims too: then somebody of whom nothing else is known is found.
    /// - Throws: ``OperationError`` `customer_not_found`, `as_of_in_the_future`, or storage's codes.
    public func customer(
        _ id: CustomerID,
        of app: AppID,
        asOf past: Timestamp? = nil,
        isExplained: Bool = false,
        tellsRefusals: Bool = false
    ) async throws(OperationError) -> CustomerView {
        let view = try await known(id, of: app, asOf: past, isExplained: isExplained, tellsRefusals: tellsRefusals)
        guard let view else { throw .customerNotFound }
        return view
    }

    /// The same of anybody: who never bought has nothing, and is no error. Nothing is created.
    ///
    /// - Throws: ``OperationError`` `as_of_in_the_future`, or storage's codes.
    public func anybody(
        _ id: CustomerID,
        of app: AppID,
        asOf past: Timestamp? = nil,
        isExplained: Bool = false
    ) async throws(OperationError) -> CustomerView {
        if let view = try await known(id, of: app, asOf: past, isExplained: isExplained) { return view }
        return CustomerView(nobody: id, now: past ?? time.now())
    }

    /// Anybody, with the introductory eligibility in every group that the app is known to have.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func offers(for id: CustomerID, of app: AppID) async throws(OperationError) -> CustomerView {
        var view = try await anybody(id, of: app)
        do {
            let products = try await database.read { storage throws(StorageError) in try storage.knownProducts(of: app)
            }
            // In a group that the customer has no history in, the offer is open.
            for group in products.compactMap(\.groupID) where view.introductoryEligibility[group] == nil {
                view.introductoryEligibility[group] = true
            }
            return view
        } catch {
            throw OperationError(error)
        }
    }

    /// The customer, where there is one.
    private func known(
        _ id: CustomerID,
        of app: AppID,
        asOf past: Timestamp?,
        isExplained: Bool,
        tellsRefusals: Bool = false
    ) async throws(OperationError) -> CustomerView? {
        let present = time.reading
        guard past ?? present.now <= present.now else { throw .asOfInTheFuture }
        let clock = ClockReading(now: past ?? present.now, isDisputed: past == nil && present.isDisputed)
        let before = database.commits?.count(of: id, app: app)
        let found: (view: CustomerView, customer: CustomerRecord, span: AnswerSpan?)?
        do {
            found = try await database.read { [policy] storage throws(StorageError) in
                guard let holdings = try storage.holdings(named: id, app: app) else {
                    guard tellsRefusals, past == nil else { return nil }
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
                if tellsRefusals, past == nil {
                    let (customer, purchases) = (holdings.customer, holdings.purchases)
                    view.refusedClaims = try storage.refusedClaims(concerning: customer, purchases: purchases, app: app)
                }
                let span = past == nil ? holdings.span(at: clock) : nil
                if span != nil { view.mark = AnswerMark(of: holdings.customer, app: app) }
                // What is asked by an alias is not remembered: commits are counted by the customer's own identifier.
                return (view, holdings.customer, holdings.customer.id == id ? span : nil)
            }
        } catch {
            throw OperationError(error)
        }
        guard let found else { return nil }
        if let span = found.span, let mark = found.view.mark {
            recent.remember(
                .init(customer: found.customer, mark: mark, span: span, count: before, readAt: .now),
                app: app
            )
        }
        return found.view
    }

    /// The mark of the customer's present answer, where it is known without making the answer; nil where it is not.
    ///
    /// Touches at most one row: the customer's own.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func mark(of id: CustomerID, app: AppID) async throws(OperationError) -> AnswerMark? {
        guard let entry = recent.entry(of: id, app: app), entry.span.contains(time.now()) else { return nil }
        let count = database.commits?.count(of: id, app: app)
        let readAt = ContinuousClock.now
        if count != nil, count == entry.count, readAt - entry.readAt < RecentAnswers.unaskedMax { return entry.mark }
        let customer: CustomerRecord?
        do {
            customer = try await database.read { storage throws(StorageError) in try storage.customer(id, of: app) }
        } catch {
            throw OperationError(error)
        }
        // Asking takes time as well, in which something may have ended.
        guard customer == entry.customer, entry.span.contains(time.now()) else {
            recent.forget(id, app: app)
            return nil
        }
        recent.remember(
            .init(customer: entry.customer, mark: entry.mark, span: entry.span, count: count, readAt: readAt),
            app: app
        )
        return entry.mark
    }
}

extension CustomerHoldings {
    /// The time in which what is stored is the answer, from now on; nil where the clock has passed some of it already.
    fileprivate func span(at clock: ClockReading) -> AnswerSpan? {
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
        return AnswerSpan(from: now, until: ends.min())
    }
}

extension Entitlement {
    /// With the end of the leeway where its subscription's renewal is late: the period's own end is past then.
    fileprivate func awaiting(_ subscriptions: [SubscriptionState]) -> Entitlement {
        guard isActive, let state = subscriptions.first(where: { $0.id == purchaseID }) else { return self }
        var copy = self
        copy.graceExpiresAt = graceExpiresAt ?? state.nextPeriod.awaitedUntil
        return copy
    }
}

extension Grant {
    /// The grant as it was known then: it may have been taken back later.
    fileprivate func known(at instant: Timestamp) -> Grant {
        guard let revokedAt, revokedAt > instant else { return self }
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
        "as_of lies in the future, which is not known. Give the present instant or an earlier one.",
        kind: .invalidRequest,
        parameter: "as_of"
    )
}

extension StorageReading {
    /// What is known of the customer who has an identifier, as their own or as an alias; nil where nobody has.
    ///
    /// - Throws: ``StorageError``.
    func holdings(named name: CustomerID, app: AppID) throws(StorageError) -> CustomerHoldings? {
        if let holdings = try holdings(of: name, app: app) { return holdings }
        guard let alias = try alias(name, of: app) else { return nil }
        return try holdings(of: alias.customerID, app: app)
    }

    /// Somebody of whom only refused claims are known; nil where not even those are.
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

    /// A customer at an instant.
    ///
    /// - Parameter past: The instant, where the past is to be told again; else the clock tells the present.
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
    /// Somebody who never bought.
    fileprivate init(nobody id: CustomerID, now: Timestamp) {
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
        // One introductory offer per customer and group, and none while a subscription of the group runs.
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
