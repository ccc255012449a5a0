import SubscriptionCore
import SubscriptionStorage

/// Where a purchase's ledger comes from: as it is kept, or told again up to an instant of the past.
struct LedgerReading {
    let app: AppID
    let past: Timestamp?
    let policy: AccessPolicy
    let storage: any StorageReading

    func ledger(of purchase: OriginalTransactionID) throws(StorageError) -> PurchaseLedger {
        guard let past else { return try storage.ledger(of: purchase, app: app) }
        return try PurchaseHistory.ledger(of: purchase, app: app, until: past, storage: storage)
    }

    /// The states of a customer's purchases: as stored while they hold or while the clock is disputed; derived anew
    /// where the clock has passed them, where a clock that was ahead derived them, or for the past.
    func states(
        of purchases: [PurchaseRecord],
        rule: EntitlementRule,
        clock: ClockReading
    ) throws(StorageError) -> [PurchaseState] {
        let now = clock.now
        var states: [PurchaseState] = []
        for purchase in purchases {
            guard let stored = purchase.state else { continue }
            let holds = !clock.isBehind(purchase.evaluatedAt) && stored.nextChangeAt.map { $0 > now } ?? true
            if past == nil, holds || clock.isDisputed {
                states.append(stored)
            } else if let state = try ledger(of: purchase.id).state(at: now, policy: policy) {
                states.append(rule.timed(state, at: now))
            }
        }
        return states
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
                explanations[entitlement.id]?.summary = EntitlementSummary(grant, at: view.evaluatedAt).text
            } else if let purchase = entitlement.purchaseID, let product = entitlement.productID {
                let state = view.subscriptions.first { $0.id == purchase }
                var explanation = try ledger(of: purchase).explanation(at: view.evaluatedAt, policy: policy)
                if entitlement.inactiveReason == .planChanged, let state {
                    let change = "The customer changed to this product, with which the entitlement does not come."
                    explanation?.steps.insert(Explanation.Step(.rule(state.productID), change), at: 0)
                    // What the clock does to the present product changes nothing for this entitlement.
                    explanation?.nextChange = nil
                }
                explanation?.steps.insert(rule.step(from: product), at: 0)
                let customer = view.customer.id
                if let step = try storage.ownershipStep(of: purchase, for: customer, app: app, policy: policy) {
                    explanation?.steps.insert(step, at: 0)
                }
                if let state, entitlement.inactiveReason != .planChanged, var told = explanation {
                    rule.addOwnGrace(to: &told, of: entitlement.id, in: state)
                    explanation = told
                }
                explanation?.summary = view.summary(of: entitlement) ?? ""
                explanations[entitlement.id] = explanation
            }
        }
        return explanations
    }

    /// Why products give nothing although they were bought, and that products are in no list.
    func explanations(
        ofUnassigned unassigned: Set<ProductID>,
        unlisted: Set<ProductID>,
        in purchases: [PurchaseState],
        rule: EntitlementRule,
        now: Timestamp
    ) throws(StorageError) -> [ProductID: Explanation] {
        var explanations: [ProductID: Explanation] = [:]
        // What is valid tells more than what is over.
        for purchase in purchases.filter(\.givesAccess) + purchases {
            let product = purchase.productID
            guard unassigned.contains(product) || unlisted.contains(product), explanations[product] == nil else {
                continue
            }
            guard var explanation = try ledger(of: purchase.id).explanation(at: now, policy: policy) else { continue }
            explanation.steps.insert(rule.step(from: product), at: 0)
            explanation.nextChange = nil
            let noEntitlement = Self.noEntitlement(of: purchase)
            let notListed =
                "The app's list of products does not have \(product). Check it, or add it with PUT /v1/products."
            explanation.summary = [
                unassigned.contains(product) ? noEntitlement : nil, unlisted.contains(product) ? notListed : nil,
            ]
            .compactMap(\.self).joined(separator: " ")
            explanations[product] = explanation
        }
        return explanations
    }
}

extension LedgerReading {
    /// Apple does not say when a season pass ends: to name it in an entitlement would give access without end.
    private static func noEntitlement(of purchase: PurchaseState) -> String {
        let bought = "No access: \(purchase.productID) was bought and is valid, but no entitlement names it."
        if case .oneTime(let state) = purchase, state.kind == .nonRenewing {
            return bought + " Apple does not say when it ends: give the customer a grant until then, with"
                + " POST /v1/customers/{app_user_id}/grants."
        }
        return bought + " Name it with PUT /v1/entitlements/{id}."
    }
}

extension CustomerView {
    /// The sentence that says why an entitlement of a purchase is what it is.
    fileprivate func summary(of entitlement: Entitlement) -> String? {
        if let state = subscriptions.first(where: { $0.id == entitlement.purchaseID }) {
            return EntitlementSummary(entitlement, of: state, at: evaluatedAt).text
        }
        return purchases.first { $0.id == entitlement.purchaseID }.map {
            EntitlementSummary(entitlement, of: $0, at: evaluatedAt).text
        }
    }
}
