import SubscriptionCore
import SubscriptionStorage

extension RenewalExtension {
    /// Whether the period ends where Apple said, or was renewed there. Another extension may have the announcement.
    func isReached(in ledger: PurchaseLedger) -> Bool {
        guard let newEnd else { return false }
        if let end = ledger[transactionID]?.expiresAt, end >= newEnd { return true }
        let earliest = newEnd.adding(milliseconds: -Self.clockTolerance)
        let latest = newEnd.adding(milliseconds: Self.clockTolerance)
        return ledger.timeline.contains { transaction in
            transaction.id != transactionID && transaction.purchasedAt >= earliest && transaction.purchasedAt <= latest
        }
    }

    /// Whether it has `extension_not_seen`, and a transaction of its period shows it.
    func isFirstSeen(in transaction: TransactionFact) -> Bool {
        guard failure?.code == Self.notSeen, transactionID == transaction.id, let newEnd,
            let end = transaction.expiresAt
        else { return false }
        return newEnd <= end
    }
}

extension [Fact] {
    /// Whether one of them may show an extension: a period ends later than before, or begins after the last known end.
    func mayShowExtension(since previous: PurchaseLedger) -> Bool {
        contains { fact in
            guard case .transaction(let transaction) = fact else { return false }
            if let end = previous[transaction.id]?.expiresAt {
                return transaction.expiresAt.map { $0 > end } ?? false
            }
            return previous.timeline.last?.expiresAt.map { transaction.purchasedAt > $0 } ?? false
        }
    }
}

extension StorageWriting {
    /// Removes `extension_not_seen` from the extensions of a subscription that its ledger shows now.
    ///
    /// - Throws: ``StorageError``.
    func noteSeenExtensions(in ledger: PurchaseLedger, app: AppID) throws(StorageError) {
        let known = try renewalExtensions(of: ledger.originalID, app: app, limit: Extending.listedMax)
        for var row in known where row.failure?.code == RenewalExtension.notSeen && row.isReached(in: ledger) {
            row.failure = nil
            try save(row, of: app)
        }
    }
}
