/// A difference between the server's answer and the store's ledger.
struct Disagreement: Hashable, Sendable, CustomStringConvertible {
    let customer: String
    let field: String
    let expected: String
    let found: String

    var description: String { "\(customer): \(field): the store has \(expected), the server answers \(found)" }
}

/// Compares one account of the store with the server's answers about it.
///
/// The expected values come from the ledger alone, by separate rules: nothing of the server is used.
struct AccountComparison: Sendable {
    let customer: String
    let ledger: LedgerAccount
    /// The entitlements by product.
    let definitions: [String: Set<String>]

    /// All differences between the answers and the ledger; empty if they agree.
    func disagreements(with served: ServedCustomer, and entitlements: ServedEntitlements) -> [Disagreement] {
        var found = Findings(customer: customer)
        found.expect(customer, served.appUserId, "app_user_id")
        compareSubscriptions(served.subscriptions, &found)
        comparePurchases(served.purchases, &found)
        compareEntitlements(served.entitlements, &found)
        found.expect(served.entitlements, entitlements.entitlements, "the two answers about entitlements")
        return found.disagreements
    }

    private func compareSubscriptions(_ served: [ServedSubscription], _ found: inout Findings) {
        let byID = Dictionary(served.map { ($0.id, $0) }) { first, _ in first }
        let expectedIDs = ledger.subscriptions.map(\.originalTransactionId).sorted()
        found.expect(expectedIDs, served.map(\.id).sorted(), "subscriptions")
        for expected in ledger.subscriptions {
            guard let answer = byID[expected.originalTransactionId] else { continue }
            let name = "subscription \(answer.id)"
            found.expect(expected.statusName, answer.status, "\(name) status")
            found.expect(expected.givesAccess, answer.givesAccess, "\(name) gives_access")
            found.expect(expected.productId, answer.productId, "\(name) product_id")
            found.expect(expected.subscriptionGroupIdentifier, answer.groupId, "\(name) group_id")
            found.expect(expected.originalPurchaseDate, answer.startedAt, "\(name) started_at")
            found.expect(expected.purchaseDate, answer.currentPeriodStartsAt, "\(name) current_period_starts_at")
            found.expect(expected.expiresDate, answer.currentPeriodEndsAt, "\(name) current_period_ends_at")
            // An ended subscription does not renew, whatever its last renewal setting was.
            found.expect(expected.autoRenewStatus == 1 && !expected.isOver, answer.autoRenew, "\(name) auto_renew")
            let isUnpaid = expected.isInGracePeriod || expected.isInBillingRetry
            found.expect(isUnpaid, answer.billingIssue != nil, "\(name) billing_issue")
            found.expect(expected.price, answer.price, "\(name) price")
            found.expect(expected.currency, answer.currency, "\(name) currency")
        }
    }

    private func comparePurchases(_ served: [ServedPurchase], _ found: inout Findings) {
        let expected = ledger.transactions.filter { !$0.isRenewable }
        let byID = Dictionary(served.map { ($0.id, $0) }) { first, _ in first }
        found.expect(expected.map(\.originalTransactionId).sorted(), served.map(\.id).sorted(), "purchases")
        for transaction in expected {
            guard let answer = byID[transaction.originalTransactionId] else { continue }
            let name = "purchase \(answer.id)"
            found.expect(transaction.productId, answer.productId, "\(name) product_id")
            found.expect(transaction.quantity, answer.quantity, "\(name) quantity")
            found.expect(transaction.purchaseDate, answer.purchasedAt, "\(name) purchased_at")
            found.expect(transaction.revocationDate, answer.revokedAt, "\(name) revoked_at")
            found.expect(transaction.price, answer.price, "\(name) price")
            found.expect(transaction.currency, answer.currency, "\(name) currency")
        }
    }

    private func compareEntitlements(_ served: [String: ServedEntitlement], _ found: inout Findings) {
        for (id, products) in definitions.sorted(by: { $0.key < $1.key }) {
            let name = "entitlement \(id)"
            let sources = sources(of: products)
            guard let best = sources.max(by: { ($0.isActive ? 1 : 0, $0.end) < ($1.isActive ? 1 : 0, $1.end) }) else {
                found.expect(false, served[id]?.active ?? false, "\(name) active")
                continue
            }
            guard let answer = served[id] else {
                found.expect("an answer", "none", name)
                continue
            }
            found.expect(best.isActive, answer.active, "\(name) active")
            // For ended subscriptions, the end is compared only if there is a single one.
            guard best.isActive || (sources.count == 1 && best.expires != nil) else { continue }
            found.expect(best.expires, answer.expiresAt, "\(name) expires_at")
            found.expect(best.graceExpires, answer.graceExpiresAt, "\(name) grace_expires_at")
        }
    }

    /// A source of an entitlement.
    private struct Source {
        var isActive: Bool
        var expires: Int64?
        var graceExpires: Int64?
        var end: Int64 { graceExpires ?? expires ?? .max }
    }

    /// When the period of a subscription was revoked.
    private func revocationDate(of subscription: LedgerSubscription) -> Int64? {
        let period = ledger.transactions.last {
            $0.originalTransactionId == subscription.originalTransactionId
                && $0.purchaseDate == subscription.purchaseDate
        }
        return period?.revocationDate
    }

    private func sources(of products: Set<String>) -> [Source] {
        let subscriptions = ledger.subscriptions.filter { products.contains($0.productId) }.map {
            Source(
                isActive: $0.givesAccess,
                expires: $0.givesAccess
                    ? $0.expiresDate : min($0.expiresDate, revocationDate(of: $0) ?? $0.expiresDate),
                graceExpires: $0.isInGracePeriod ? $0.gracePeriodExpiresDate : nil
            )
        }
        let purchases = ledger.transactions.filter { !$0.isRenewable && products.contains($0.productId) }.map {
            Source(isActive: $0.revocationDate == nil)
        }
        return subscriptions + purchases
    }
}

/// Collects differences.
struct Findings {
    let customer: String
    var disagreements: [Disagreement] = []

    mutating func expect<Value: Equatable>(_ expected: Value, _ found: Value, _ field: String) {
        guard expected != found else { return }
        disagreements.append(
            Disagreement(customer: customer, field: field, expected: "\(expected)", found: "\(found)")
        )
    }
}
