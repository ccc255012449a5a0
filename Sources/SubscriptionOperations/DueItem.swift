import SubscriptionCore
import SubscriptionStorage
import Synchronization

/// Identifies a due purchase or grant that fails repeatedly. An item with another due time is a different item.
enum DueItem: Hashable, Sendable {
    case purchase(DuePurchase)
    case grant(DueGrant)

    var kind: Kind {
        switch self {
        case .purchase: .purchase
        case .grant: .grant
        }
    }

    enum Kind: Hashable, Sendable { case purchase, grant }
}

/// Due items that failed. After several failures an item is paused, so the others can proceed.
///
/// It is kept in memory only, so a restart retries everything. A new fact changes the due time and so retries the
/// purchase. Each pause is twice as long as the previous one.
final class FailedDueItems: Sendable {
    /// The number of consecutive failures after which an item is set aside.
    static let failuresMax = 3
    /// The maximum number of stored items; others are retried each time.
    static let countMax = 10_000
    static let firstPause = Duration.seconds(60)
    static let longestPause = Duration.seconds(3_600)

    private struct Failure {
        var count = 0
        /// When it is retried; nil if it is not set aside.
        var retryAt: Duration?
    }

    private let failures = Mutex<[DueItem: Failure]>([:])
    private let elapsed: @Sendable () -> Duration

    init(elapsed: @escaping @Sendable () -> Duration) { self.elapsed = elapsed }

    /// The number of items that are set aside.
    var setAsideCount: Int { failures.withLock { $0.values.count { $0.retryAt != nil } } }

    /// The items that must not be tried now.
    var paused: Set<DueItem> {
        let now = elapsed()
        return failures.withLock { failures in
            Set(failures.compactMap { item, failure in failure.retryAt.map { $0 > now } ?? false ? item : nil })
        }
    }

    /// Records a failure and returns whether the item is newly set aside.
    func note(_ item: DueItem) -> Bool {
        let now = elapsed()
        return failures.withLock { failures in
            guard failures[item] != nil || failures.count < Self.countMax else { return false }
            var failure = failures[item] ?? Failure()
            failure.count += 1
            let wasSetAside = failure.retryAt != nil
            let doublings = failure.count - Self.failuresMax
            if doublings >= 0 {
                failure.retryAt = now + min(Self.firstPause * (1 << min(doublings, 10)), Self.longestPause)
            }
            failures[item] = failure
            return !wasSetAside && failure.retryAt != nil
        }
    }

    /// Removes items that succeeded.
    func forget(_ items: [DueItem]) {
        failures.withLock { failures in
            guard !failures.isEmpty else { return }
            for item in items { failures[item] = nil }
        }
    }

    /// Removes the items of one kind that are no longer due.
    func keep(_ kind: DueItem.Kind, in due: Set<DueItem>) {
        failures.withLock { failures in
            guard !failures.isEmpty else { return }
            failures = failures.filter { $0.key.kind != kind || due.contains($0.key) }
        }
    }
}
