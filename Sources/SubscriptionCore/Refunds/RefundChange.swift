/// What new facts of a purchase change in its refunds.
///
/// Most facts change nothing, and that is known without a look at stored refunds. A refund and its reversal that arrive
/// in the order of their signatures follow from the ledger. Whatever arrives late is derived from all statements, so
/// that the order of arrival does not matter.
package struct RefundChange: Sendable {
    private var byTransaction: [TransactionID: Refund] = [:]
    /// Whether all statements about the purchase are needed: a refund arrived after its reversal, or a charge has
    /// several copies.
    package private(set) var needsStatements = false
    /// Whether all statements are needed if the purchase has a stored refund.
    package private(set) var mayConcernStored = false

    /// No change.
    package init() {}

    /// The new refunds, and those that are reversed, by transaction. They are complete only if nothing else is needed.
    package var refunds: [Refund] { byTransaction.values.sorted { $0.transactionID < $1.transactionID } }

    /// Takes a fact into account.
    ///
    /// - Parameter ledger: The ledger before the fact is joined.
    package mutating func note(_ fact: Fact, before ledger: PurchaseLedger) {
        guard case .transaction(let fact) = fact, fact.originalID == ledger.originalID else { return }
        let known = ledger[fact.id]
        guard known != fact else { return }
        let copies = ledger.timeline.filter { other in
            other.id != fact.id && (other.isCopy(of: fact) || known.map { other.isCopy(of: $0) } ?? false)
        }
        guard copies.isEmpty else {
            let isRefunded = fact.isRefunded || known?.isRefunded ?? false || copies.contains(where: \.isRefunded)
            if isRefunded { needsStatements = true } else { mayConcernStored = true }
            return
        }
        if let known, !fact.supersedes(known) {
            // The newer statement says that the refund stands: the late one is older than it.
            guard !known.isRefunded else { return }
            if fact.isRefunded { needsStatements = true } else { mayConcernStored = true }
        } else if let refund = Refund(fact, of: fact.id) {
            byTransaction[fact.id] = refund
        } else if let known, var refund = Refund(known, of: known.id) {
            refund.reversedAt = fact.signedAt
            byTransaction[fact.id] = refund
        }
    }
}
