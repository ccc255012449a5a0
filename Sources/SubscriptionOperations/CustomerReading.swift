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
    /// Why each entitlement is what it is; empty unless asked for.
    public var explanations: [EntitlementID: Explanation] = [:]
}

/// Answers what a customer may use. Reading creates nothing.
public struct CustomerReading: Sendable {
    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy, time: any TimeSource) {
        self.database = database
        self.policy = policy
        self.time = time
    }

    /// The customer now, or at an instant of the past.
    ///
    /// The past is told again from the kept inputs: by what was signed until then, of the purchases that are the customer's
    /// now, under the present definitions.
    ///
    /// - Parameters:
    ///   - id: The customer.
    ///   - app: The app of the caller's key.
    ///   - past: The instant asked about; now without it.
    ///   - isExplained: Whether to say why each entitlement is what it is.
    /// - Throws: ``OperationError`` `customer_not_found`, `as_of_in_the_future`, or storage's codes.
    public func customer(
        _ id: CustomerID,
        of app: AppID,
        asOf past: Timestamp? = nil,
        isExplained: Bool = false
    ) async throws(OperationError) -> CustomerView {
        let present = time.now()
        let now = past ?? present
        guard now <= present else { throw .asOfInTheFuture }
        let view: CustomerView?
        do {
            view = try await database.read { [policy] storage throws(StorageError) in
                guard let customer = try storage.customer(id, of: app) else { return nil }
                let ledgers = LedgerReading(app: app, past: past, policy: policy, storage: storage)
                let states = try storage.states(of: id, from: ledgers, now: now)
                let grants = try storage.grants(of: id, app: app).map(\.state.grant).filter { $0.grantedAt <= now }
                    .map { $0.known(at: now).state(at: now) }
                let rule = try storage.entitlementRule(of: app)
                var view = CustomerView(customer: customer, states: states, grants: grants, rule: rule, now: now)
                if isExplained {
                    view.explanations = try ledgers.explanations(of: view, rule: rule, grants: grants)
                }
                return view
            }
        } catch {
            throw OperationError(error)
        }
        guard let view else { throw .customerNotFound }
        return view
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
        "Nothing is known of this customer. Submit a purchase with POST /v1/transactions.",
        kind: .notFound,
        parameter: "app_user_id"
    )

    fileprivate static let asOfInTheFuture = OperationError(
        "as_of_in_the_future",
        "as_of must not lie after the present instant, in milliseconds since 1970: the future is not known.",
        kind: .invalidRequest,
        parameter: "as_of"
    )
}

extension StorageReading {
    /// The states of a customer's purchases: as stored while they hold, derived anew where the clock has passed them, or
    /// for the past.
    fileprivate func states(
        of customer: CustomerID,
        from ledgers: LedgerReading,
        now: Timestamp
    ) throws(StorageError) -> [PurchaseState] {
        var states: [PurchaseState] = []
        for purchase in try purchases(of: customer, app: ledgers.app) {
            guard let stored = purchase.state else { continue }
            if ledgers.past == nil, stored.nextChangeAt.map({ $0 > now }) ?? true {
                states.append(stored)
            } else if let state = try ledgers.ledger(of: purchase.id).state(at: now, policy: ledgers.policy) {
                states.append(state)
            }
        }
        return states
    }
}

/// Where a purchase's ledger comes from: as it is kept, or told again up to an instant of the past.
private struct LedgerReading {
    let app: AppID
    let past: Timestamp?
    let policy: AccessPolicy
    let storage: any StorageReading

    func ledger(of purchase: OriginalTransactionID) throws(StorageError) -> PurchaseLedger {
        guard let past else { return try storage.ledger(of: purchase, app: app) }
        return try PurchaseHistory(of: purchase, app: app, until: past, policy: policy, storage: storage).ledger
    }

    /// Why each entitlement of a customer is what it is, from the facts of what gives it.
    func explanations(
        of view: CustomerView,
        rule: EntitlementRule,
        grants: [GrantState]
    ) throws(StorageError) -> [EntitlementID: Explanation] {
        var explanations: [EntitlementID: Explanation] = [:]
        for entitlement in view.entitlements {
            if let grant = grants.first(where: { $0.grant.id == entitlement.grantID }) {
                explanations[entitlement.id] = grant.explanation
            } else if let purchase = entitlement.purchaseID, let product = entitlement.productID {
                var explanation = try ledger(of: purchase).explanation(at: view.evaluatedAt, policy: policy)
                explanation?.steps.insert(rule.step(from: product), at: 0)
                explanations[entitlement.id] = explanation
            }
        }
        return explanations
    }
}

extension CustomerView {
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
            entitlements: rule.entitlements(from: states, grants: grants).values.sorted { $0.id < $1.id },
            introductoryEligibility: eligibility
        )
    }
}
