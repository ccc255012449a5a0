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

    /// The customer now.
    ///
    /// - Parameters:
    ///   - id: The customer.
    ///   - app: The app of the caller's key.
    ///   - isExplained: Whether to say why each entitlement is what it is.
    /// - Throws: ``OperationError`` `customer_not_found`, or storage's codes.
    public func customer(
        _ id: CustomerID,
        of app: AppID,
        isExplained: Bool = false
    ) async throws(OperationError) -> CustomerView {
        let now = time.now()
        let view: CustomerView?
        do {
            view = try await database.read { [policy] storage throws(StorageError) in
                guard let customer = try storage.customer(id, of: app) else { return nil }
                let states = try storage.states(of: id, app: app, now: now, policy: policy)
                let grants = try storage.grants(of: id, app: app).map { $0.state.grant.state(at: now) }
                let rule = try storage.entitlementRule(of: app)
                var view = CustomerView(customer: customer, states: states, grants: grants, rule: rule, now: now)
                if isExplained {
                    view.explanations = try storage.explanations(of: view, app: app, rule: rule, grants, policy)
                }
                return view
            }
        } catch {
            throw OperationError(error)
        }
        guard let view else {
            throw OperationError(
                "customer_not_found",
                "Nothing is known of this customer. Submit a purchase with POST /v1/transactions.",
                kind: .notFound,
                parameter: "app_user_id"
            )
        }
        return view
    }
}

extension StorageReading {
    /// The states of a customer's purchases: as stored while they hold, derived anew where the clock has passed them.
    fileprivate func states(
        of customer: CustomerID,
        app: AppID,
        now: Timestamp,
        policy: AccessPolicy
    ) throws(StorageError) -> [PurchaseState] {
        var states: [PurchaseState] = []
        for purchase in try purchases(of: customer, app: app) {
            guard let stored = purchase.state else { continue }
            let holds = stored.nextChangeAt.map { $0 > now } ?? true
            let state = holds ? stored : try ledger(of: purchase.id, app: app).state(at: now, policy: policy)
            states.append(state ?? stored)
        }
        return states
    }

    /// Why each entitlement of a customer is what it is, from the facts of what gives it.
    fileprivate func explanations(
        of view: CustomerView,
        app: AppID,
        rule: EntitlementRule,
        _ grants: [GrantState],
        _ policy: AccessPolicy
    ) throws(StorageError) -> [EntitlementID: Explanation] {
        var explanations: [EntitlementID: Explanation] = [:]
        for entitlement in view.entitlements {
            if let grant = grants.first(where: { $0.grant.id == entitlement.grantID }) {
                explanations[entitlement.id] = grant.explanation
            } else if let purchase = entitlement.purchaseID, let product = entitlement.productID {
                let ledger = try ledger(of: purchase, app: app)
                var explanation = ledger.explanation(at: view.evaluatedAt, policy: policy)
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
