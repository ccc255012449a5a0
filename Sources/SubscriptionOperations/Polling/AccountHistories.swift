import SubscriptionCore
import Synchronization

/// Reads the histories of store accounts. A long one is read in several looks, and its pages are kept in between.
///
/// The pages are kept in memory only: after a restart, or on another server, the history begins again. It is then
/// also forgotten which histories were stored as a whole.
final class AccountHistories: Sendable {
    /// The maximum number of histories that are kept. Further ones have to fit into one look.
    private static let readingsMax = 16
    /// The maximum size of all histories that are kept. One history alone is kept in any case. It has at most 4,000
    /// transactions, of a few kilobytes each.
    ///
    /// - Units: bytes.
    private static let keptBytesMax = 64 << 20
    /// The maximum number of purchases of which is remembered that the whole history was stored. An entry of a further
    /// one may ask for it again.
    private static let storedMax = 10_000
    /// How long a history is kept that nobody continues, and how long it is remembered that one was stored: an entry
    /// waits for at most 75 minutes.
    private static let keptMax = Duration.seconds(2 * 3_600)

    /// The result of one look.
    enum Outcome: Sendable {
        /// All that Apple has was read.
        case read(VerifiedPurchases)
        /// Some pages were read. The next look continues.
        case unfinished
        /// No page was read, or what was read is of no use.
        case failed(OperationError)
    }

    private struct Key: Hashable {
        let app: AppID
        let purchase: OriginalTransactionID
    }

    private struct Kept {
        let reading: HistoryReading
        let bytes: Int
        let touchedAt: Duration
    }

    /// What is remembered of a whole history that was stored.
    private struct Stored {
        /// The start of the newest period of the purchase. Every gap until then is real.
        let newestPeriod: Timestamp
        let readAt: Duration
    }

    private let inquiry: StatusInquiry
    private let pace: QueryPace
    private let bytesMax: Int
    private let kept = Mutex<[Key: Kept]>([:])
    private let stored = Mutex<[Key: Stored]>([:])

    /// - Parameter bytesMax: The maximum size of all histories that are kept.
    init(inquiry: StatusInquiry, pace: QueryPace, bytesMax: Int = keptBytesMax) {
        self.inquiry = inquiry
        self.pace = pace
        self.bytesMax = bytesMax
    }

    /// Reads the transactions and the refunds of the purchase's store account, revoked ones included, as far as the
    /// time of a look permits.
    ///
    /// Of a history that Apple refuses, or that is too long, what was read until then is used. Pages are kept only
    /// while looks find more, so that a history that fails again and again does not take the place of another one.
    func read(of purchase: OriginalTransactionID, app: AppID) async -> Outcome {
        let key = Key(app: app, purchase: purchase)
        do throws(OperationError) {
            let reading = try reading(of: key)
            let before = reading.found.count
            do throws(OperationError) {
                let isWhole = try await inquiry.read(reading, pace: pace, app: app)
                guard isWhole else {
                    keep(reading, key)
                    return .unfinished
                }
            } catch  where error.isAnswer || error.code == "history_too_long" {
                // What was read is still of use.
            } catch  where error.isRetryable && !reading.isBroken && reading.found.count > before {
                keep(reading, key)
                return .unfinished
            }
            kept.withLock { $0[key] = nil }
            return .read(try await inquiry.verified(reading.found, app: app))
        } catch {
            kept.withLock { $0[key] = nil }
            return .failed(error)
        }
    }

    /// Whether periods of a subscription seem to be missing that Apple may still have.
    ///
    /// An entry from before a whole history was stored does not ask for it again.
    func areNeeded(for ledger: PurchaseLedger, app: AppID) -> Bool {
        let gapEnd = ledger.lastGapEnd
        guard ledger.isLateJoiner || gapEnd != nil else { return false }
        let known = stored.withLock { $0[Key(app: app, purchase: ledger.originalID)] }
        guard let known, pace.elapsed - known.readAt < Self.keptMax else { return true }
        return gapEnd.map { $0 > known.newestPeriod } ?? false
    }

    /// Notes that an answer is stored, if it is a whole history.
    func noteStored(_ found: VerifiedPurchases, app: AppID) {
        guard found.isWholeHistory else { return }
        let now = pace.elapsed
        var newest: [Key: Timestamp] = [:]
        for period in found.transactions where period.kind == .autoRenewable {
            let key = Key(app: app, purchase: period.originalID)
            newest[key] = max(newest[key] ?? period.purchasedAt, period.purchasedAt)
        }
        stored.withLock { [newest] stored in
            stored = stored.filter { now - $0.value.readAt < Self.keptMax }
            for (key, period) in newest where stored[key] != nil || stored.count < Self.storedMax {
                stored[key] = Stored(newestPeriod: period, readAt: now)
            }
        }
    }

    private func reading(of key: Key) throws(OperationError) -> HistoryReading {
        if let reading = kept.withLock({ $0[key]?.reading }) { return reading }
        return try inquiry.historyReading(of: key.purchase, app: key.app)
    }

    /// Keeps a history, if there is space for it beside the others.
    private func keep(_ reading: HistoryReading, _ key: Key) {
        let now = pace.elapsed
        let bytes = reading.found.bytes
        kept.withLock { kept in
            kept[key] = nil
            kept = kept.filter { now - $0.value.touchedAt < Self.keptMax }
            let others = kept.values.reduce(0) { $0 + $1.bytes }
            guard kept.count < Self.readingsMax, kept.isEmpty || others + bytes <= bytesMax else { return }
            kept[key] = Kept(reading: reading, bytes: bytes, touchedAt: now)
        }
    }
}
