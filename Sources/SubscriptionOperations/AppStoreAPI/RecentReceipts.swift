import AppStoreSigning
import Crypto
import SubscriptionCore
import Synchronization

/// Caches the purchases that the App Store returned for a receipt for a few minutes.
///
/// Receipts with the same transactions count as the same, because StoreKit makes a new file for each request of an app.
/// A receipt without transactions is the same only as itself: Apple may have transactions for it.
final class RecentReceipts: Sendable {
    /// What to do with a receipt.
    enum Decision: Hashable {
        /// Nothing is cached: look it up, then call ``remember(_:for:at:)``.
        case ask
        /// Another request is looking it up.
        case wait
        /// These are its purchases.
        case known([OriginalTransactionID])
        /// It was refused and would be refused again.
        case refused(OperationError)
    }

    /// Identifies a receipt.
    struct Key: Hashable, Sendable {
        private let app: AppID
        /// The digest of its transactions. If it has none, that of signed values which differ in each file, because the
        /// sender can choose the encoding of the file.
        let digest: [UInt8]

        init(_ receipt: AppReceipt, of app: AppID) {
            self.app = app
            guard !receipt.inAppPurchases.isEmpty else {
                let created = Array("\(receipt.creationDate ?? 0)".utf8)
                let file = receipt.opaqueValue + [0] + receipt.sha1Hash + [0] + created
                digest = Array(SHA256.hash(data: file))
                return
            }
            let transactions = Set(receipt.inAppPurchases.map(\.transactionId)).sorted()
            // Identifiers contain no line breaks.
            digest = Array(SHA256.hash(data: Array(transactions.joined(separator: "\n").utf8)))
        }
    }

    private struct Entry {
        /// The result of the look-up; nil while it is running.
        var outcome: Result<[OriginalTransactionID], OperationError>?
        var at: Timestamp
    }

    /// The maximum number of cached receipts.
    private static let countMax = 4_096

    private let lifetimeMilliseconds: Int64
    private let entries = Mutex<[Key: Entry]>([:])

    init(lifetimeMilliseconds: Int64) {
        self.lifetimeMilliseconds = lifetimeMilliseconds
    }

    /// Begins a receipt. The caller that gets `ask` is the only one to look it up until it calls
    /// ``remember(_:for:at:)``.
    func begin(_ key: Key, at now: Timestamp) -> Decision {
        entries.withLock { entries in
            if let entry = entries[key] {
                guard let outcome = entry.outcome else { return .wait }
                if isFresh(entry, at: now) {
                    switch outcome {
                    case .success(let purchases): return .known(purchases)
                    case .failure(let refusal): return .refused(refusal)
                    }
                }
            }
            if entries.count >= Self.countMax {
                entries = entries.filter { $0.value.outcome == nil || isFresh($0.value, at: now) }
            }
            if entries.count >= Self.countMax { entries = entries.filter { $0.value.outcome == nil } }
            entries[key] = Entry(at: now)
            return .ask
        }
    }

    /// Stores the result of a successful look-up.
    func remember(_ purchases: [OriginalTransactionID], for key: Key, at now: Timestamp) {
        entries.withLock { $0[key] = Entry(outcome: .success(purchases), at: now) }
    }

    /// Stores a failed look-up, if a new one would fail too.
    func remember(_ error: OperationError, for key: Key, at now: Timestamp) {
        let isLasting = error.kind == .invalidRequest || error.kind == .notFound
        entries.withLock { $0[key] = isLasting ? Entry(outcome: .failure(error), at: now) : nil }
    }

    /// Entries with a future time count as expired, in case the clock was set back.
    private func isFresh(_ entry: Entry, at now: Timestamp) -> Bool {
        entry.at <= now && now < entry.at.adding(milliseconds: lifetimeMilliseconds)
    }
}
