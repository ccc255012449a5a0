import SubscriptionCore
import SubscriptionStorage

/// A new end of a period, and what was known about the period before.
struct ExtendedPeriod {
    private static let day: Int64 = 86_400_000

    /// The transaction of the period.
    let transactionID: TransactionID
    /// The new end.
    let end: Timestamp?
    /// The end in the ledger before; nil if it is not known.
    let endBefore: Timestamp?
    /// The known extensions of the subscription, newest first.
    let known: [RenewalExtension]
    /// Whether an extension moves the end by whole days. The sandbox shortens days, also to nothing.
    private let hasWholeDays: Bool

    init(
        _ transactionID: TransactionID,
        end: Timestamp?,
        endBefore: Timestamp?,
        known: [RenewalExtension],
        app: AppID
    ) {
        self.transactionID = transactionID
        self.end = end
        self.endBefore = endBefore
        self.known = known
        hasWholeDays = app.environment == .production
    }

    /// Whether the end moved by the days of an extension. What the sandbox moves is not compared.
    ///
    /// Announcements may arrive in another order than Apple made the extensions, or after the transaction with the new
    /// end. So the days count from the last known end before the new one, whatever the ledger has. Each extension moves
    /// the end on, so no earlier one was the end just before.
    func fits(_ row: RenewalExtension) -> Bool {
        guard hasWholeDays, let end, let days = row.days else { return true }
        // Of another period than that of the extension, no earlier end may be known.
        guard let before = earlierEnd(of: row) else {
            return row.transactionID != transactionID || row.previousEnd == nil
        }
        return abs(end.milliseconds - before.milliseconds - Int64(days) * Self.day) <= Self.day / 2
    }

    /// Whether the end moved by more than the days of an extension, so that it may contain it and another one whose
    /// announcement was lost.
    func mayContain(_ row: RenewalExtension) -> Bool {
        guard hasWholeDays, let end, let days = row.days, let before = earlierEnd(of: row) else { return false }
        return end.milliseconds - before.milliseconds > Int64(days) * Self.day + Self.day / 2
    }

    /// The end of the period just before an extension; nil if it is not known.
    func previousEnd(of row: RenewalExtension) -> Timestamp? {
        earlierEnd(of: row) ?? (row.transactionID == transactionID ? row.previousEnd : nil)
    }

    /// The last known end of the period that is earlier than the new one.
    private func earlierEnd(of row: RenewalExtension) -> Timestamp? {
        guard let end else { return nil }
        var ends = known.filter { $0.id != row.id && $0.state == .extended && $0.transactionID == transactionID }
            .compactMap(\.newEnd)
        if let endBefore { ends.append(endBefore) }
        if row.transactionID == transactionID, let previousEnd = row.previousEnd { ends.append(previousEnd) }
        return ends.filter { $0 < end }.max()
    }
}
