import SubscriptionCore
import SubscriptionStorage

/// Reads a purchase's ledger: the stored one, or one derived up to a past time.
struct LedgerReading {
    let app: AppID
    let past: Timestamp?
    let policy: AccessPolicy
    let storage: any StorageReading

    func ledger(of purchase: OriginalTransactionID) throws(StorageError) -> PurchaseLedger {
        guard let past else { return try storage.ledger(of: purchase, app: app) }
        return try PurchaseHistory.ledger(of: purchase, app: app, until: past, storage: storage)
    }

    /// The states of a customer's purchases. The stored state is used if it is current or while the clock is disputed.
    /// Otherwise, and for a past time, the state is derived again.
    func states(
        of purchases: [PurchaseRecord],
        rule: EntitlementRule,
        clock: ClockReading
    ) throws(StorageError) -> [PurchaseState] {
        let now = clock.now
        var states: [PurchaseState] = []
        for purchase in purchases {
            guard let stored = purchase.state else { continue }
            let isCurrent = !clock.isBehind(purchase.evaluatedAt) && stored.nextChangeAt.map { $0 > now } ?? true
            if past == nil, isCurrent || clock.isDisputed {
                states.append(stored)
            } else if let state = try ledger(of: purchase.id).state(at: now, policy: policy) {
                states.append(rule.timed(state, at: now))
            }
        }
        return states
    }

    /// The explanation of each entitlement of a customer, from the facts of its source.
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
                    let change = "The customer changed to this product, which does not give the entitlement."
                    explanation?.steps.insert(Explanation.Step(.rule(state.productID), change), at: 0)
                    // Changes of the current product by time do not affect this entitlement.
                    explanation?.nextChange = nil
                }
                explanation?.steps.insert(rule.step(from: product), at: 0)
                let customer = view.customer.id
                if let step = try storage.ownershipStep(of: purchase, for: customer, app: app, policy: policy) {
                    explanation?.steps.insert(step, at: 0)
                }
                if let state, entitlement.inactiveReason != .planChanged, var complete = explanation {
                    rule.addOwnGrace(to: &complete, of: entitlement.id, in: state)
                    explanation = complete
                }
                explanation?.summary = view.summary(of: entitlement) ?? ""
                explanations[entitlement.id] = explanation
            }
        }
        return explanations
    }

    /// The explanations of bought products that give no access, and of products that are not listed.
    func explanations(
        ofUnassigned unassigned: Set<ProductID>,
        unlisted: Set<ProductID>,
        in purchases: [PurchaseState],
        rule: EntitlementRule,
        now: Timestamp
    ) throws(StorageError) -> [ProductID: Explanation] {
        var explanations: [ProductID: Explanation] = [:]
        // A valid purchase explains more than an ended one.
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
    /// Apple does not report the end of a non-renewing subscription: listing it in an entitlement would give access
    /// without end.
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
    /// The summary of an entitlement of a purchase.
    fileprivate func summary(of entitlement: Entitlement) -> String? {
        if let state = subscriptions.first(where: { $0.id == entitlement.purchaseID }) {
            return EntitlementSummary(entitlement, of: state, at: evaluatedAt).text
        }
        return purchases.first { $0.id == entitlement.purchaseID }.map {
            EntitlementSummary(entitlement, of: $0, at: evaluatedAt).text
        }
    }
}
