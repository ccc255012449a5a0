import AppStoreSigning
import Crypto
import SubscriptionCore
import Synchronization

/// Remembers which purchases the App Store named for a receipt, for some minutes, so that it is asked once.
///
/// Two receipts with the same transactions are the same: StoreKit makes a new file each time that an app asks for one.
final class RecentReceipts: Sendable {
    /// What to do with a receipt.
    enum Decision: Hashable {
        /// Nothing is known: ask, then ``remember(_:for:at:)``.
        case ask
        /// Another request is asking.
        case wait
        /// These are its purchases.
        case known([OriginalTransactionID])
        /// It was refused, and would be again.
        case refused(OperationError)
    }

    /// Names a receipt.
    struct Key: Hashable, Sendable {
        private let app: AppID
        /// Of the transactions in it.
        let digest: [UInt8]

        init(_ receipt: AppReceipt, of app: AppID) {
            self.app = app
            let transactions = Set(receipt.inAppPurchases.map(\.transactionId)).sorted()
            // A line break is in no identifier.
            digest = Array(SHA256.hash(data: Array(transactions.joined(separator: "\n").utf8)))
        }
    }

    private struct Entry {
        /// What came of asking; nil while the App Store is asked.
        var outcome: Result<[OriginalTransactionID], OperationError>?
        var at: Timestamp
    }

    /// How many receipts are remembered.
    private static let countMax = 4_096

    private let lifetimeMilliseconds: Int64
    private let entries = Mutex<[Key: Entry]>([:])

    init(lifetimeMilliseconds: Int64) {
        self.lifetimeMilliseconds = lifetimeMilliseconds
    }

    /// What is known of a receipt. Who is told to ask has it to themselves until they remember.
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

    /// The App Store has answered.
    func remember(_ purchases: [OriginalTransactionID], for key: Key, at now: Timestamp) {
        entries.withLock { $0[key] = Entry(outcome: .success(purchases), at: now) }
    }

    /// Asking has failed: what cannot be otherwise the next time is remembered too.
    func remember(_ error: OperationError, for key: Key, at now: Timestamp) {
        let isLasting = error.kind == .invalidRequest || error.kind == .notFound
        entries.withLock { $0[key] = isLasting ? Entry(outcome: .failure(error), at: now) : nil }
    }

    /// A clock that was set back makes nothing last.
    private func isFresh(_ entry: Entry, at now: Timestamp) -> Bool {
        entry.at <= now && now < entry.at.adding(milliseconds: lifetimeMilliseconds)
    }
}
