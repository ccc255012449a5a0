import SubscriptionCore
import SubscriptionStorage

/// What the end of the period shows about an extension, without its announcement.
extension RenewalExtension {
    /// The end to which it moved the period; nil if no end shows that.
    ///
    /// In production, the end of an extension that Apple has not confirmed must have moved by its days: others may have
    /// extended the period.
    ///
    /// - Parameter others: The other extensions of the subscription, which may explain a new end.
    func movedEnd(in ledger: PurchaseLedger, others: [RenewalExtension], app: AppID) -> Timestamp? {
        newPeriods(in: ledger, others: others, app: app).first { state == .extended || $0.fits(self) }?.end
    }

    /// Whether the end moved, and nothing explains it.
    func isMovedByOthers(in ledger: PurchaseLedger, others: [RenewalExtension], app: AppID) -> Bool {
        !newPeriods(in: ledger, others: others, app: app).isEmpty
    }

    /// Whether the end moved by more than the days of its order, so that it may contain it and another extension that
    /// was not announced. The end of another member that waits for its own order does not.
    func mayBeContained(in ledger: PurchaseLedger, others: [RenewalExtension], app: AppID) -> Bool {
        newPeriods(in: ledger, others: others, app: app).contains { period in
            period.mayContain(self)
                && !others.contains { other in
                    other.state == .ordered && other.transactionID == transactionID && period.fits(other)
                }
        }
    }

    /// The later ends of the period that no other extension explains: the present one, and those from which others
    /// moved it on.
    private func newPeriods(
        in ledger: PurchaseLedger,
        others: [RenewalExtension],
        app: AppID
    ) -> [ExtendedPeriod] {
        guard let previousEnd else { return [] }
        let extended = others.filter { $0.state == .extended }
        let explained = extended.compactMap(\.newEnd)
        let present = [ledger[transactionID]?.expiresAt].compactMap { $0 }
        let earlier = extended.filter { $0.transactionID == transactionID }.compactMap(\.previousEnd)
        return (present + earlier).filter { $0 > previousEnd && !explained.contains($0) }.map { end in
            ExtendedPeriod(transactionID, end: end, endBefore: nil, known: others, app: app)
        }
    }
}
