import SubscriptionCore
import SubscriptionStorage

/// An extension that Apple announces.
struct AnnouncedExtension {
    /// The period with its new end.
    let period: ExtendedPeriod
    /// When Apple signed the announcement.
    let signedAt: Timestamp

    /// An announcement that arrives.
    ///
    /// - Parameters:
    ///   - endBefore: The end of the period in the ledger before; nil if it is not earlier than the announced one.
    ///   - known: The known extensions of the subscription, newest first.
    init(
        _ transaction: TransactionFact,
        signedAt: Timestamp,
        endBefore: Timestamp?,
        known: [RenewalExtension],
        app: AppID
    ) {
        self.signedAt = signedAt
        period = ExtendedPeriod(
            transaction.id,
            end: transaction.expiresAt,
            endBefore: endBefore,
            known: known,
            app: app
        )
    }

    /// An announcement that was stored as an extension of its own; nil for other extensions.
    init?(_ row: RenewalExtension, known: [RenewalExtension], app: AppID) {
        guard row.origin == .apple, row.state == .extended, let announcedAt = row.announcedAt else { return nil }
        signedAt = announcedAt
        period = ExtendedPeriod(
            row.transactionID,
            end: row.newEnd,
            endBefore: row.previousEnd,
            known: known.filter { $0.id != row.id },
            app: app
        )
    }
}
