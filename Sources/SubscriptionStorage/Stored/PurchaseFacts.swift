package import SubscriptionCore

/// The facts in a purchase's own row: its renewal record, its status and its newest transactions.
///
/// Earlier transactions are in a separate table, so that the row stays small. A transaction in the row takes precedence
/// over one with the same identifier in that table.
package struct PurchaseFacts: Hashable, Sendable {
    /// The maximum number of transactions in a row.
    package static let transactionsMax = 10
    /// The number of transactions that stay when the row has too many; the others move out together.
    private static let transactionsKept = 6

    /// The newest renewal record.
    package private(set) var renewal: RenewalFact?
    /// The newest status.
    package private(set) var status: StatusFact?
    /// The newest transactions, the earliest purchase first.
    package private(set) var transactions: [TransactionFact] = []
    /// Whether the table of earlier transactions contains transactions of this purchase.
    package private(set) var hasEarlier = false

    /// The data to store outside the row when a fact is saved.
    package struct Outside: Hashable, Sendable {
        /// Transactions for the table of earlier ones.
        package var earlier: [TransactionFact] = []
        /// The transaction that was not in the row before and may be new.
        package var new: TransactionFact?
    }

    /// No facts.
    package init() {}

    /// Makes the facts of a row, and returns the transactions that are stored outside it.
    package init(_ facts: some Sequence<Fact>, outside: inout [TransactionFact]) {
        for fact in facts { outside += save(fact).earlier }
    }

    init(renewal: RenewalFact?, status: StatusFact?, transactions: [TransactionFact], hasEarlier: Bool) {
        self.renewal = renewal
        self.status = status
        self.transactions = transactions
        self.hasEarlier = hasEarlier
    }

    /// Adds a fact, replacing the previous one about the same thing.
    ///
    /// - Returns: The data to store outside the row.
    package mutating func save(_ fact: Fact) -> Outside {
        switch fact {
        case .transaction(let fact): return save(fact)
        case .renewal(let fact): renewal = fact
        case .status(let fact): status = fact
        }
        return Outside()
    }

    private mutating func save(_ fact: TransactionFact) -> Outside {
        var outside = Outside()
        if let index = transactions.firstIndex(where: { $0.id == fact.id }) {
            transactions.remove(at: index)
        } else {
            outside.new = fact
            if hasEarlier, let first = transactions.first, fact.isBefore(first) {
                outside.earlier = [fact]
                return outside
            }
        }
        // Most facts are the latest, so the search begins at the end.
        let before = transactions.lastIndex { $0.isBefore(fact) }
        transactions.insert(fact, at: before.map { $0 + 1 } ?? 0)
        if transactions.count > Self.transactionsMax {
            let count = transactions.count - Self.transactionsKept
            outside.earlier = Array(transactions[..<count])
            transactions.removeFirst(count)
            hasEarlier = true
        }
        return outside
    }

    /// The ledger of the purchase.
    ///
    /// - Parameter earlier: Its rows in the table of earlier transactions, in any order.
    package func ledger(of purchase: OriginalTransactionID, earlier: [TransactionFact]) -> PurchaseLedger {
        var all = transactions
        if !earlier.isEmpty {
            let known = Set(transactions.map(\.id))
            all += earlier.filter { !known.contains($0.id) }
        }
        return PurchaseLedger(originalID: purchase, transactions: all, renewal: renewal, status: status)
    }
}

extension TransactionFact {
    /// Whether it was purchased before another; the identifier orders those with the same time.
    fileprivate func isBefore(_ other: TransactionFact) -> Bool {
        (purchasedAt, id) < (other.purchasedAt, other.id)
    }
}
