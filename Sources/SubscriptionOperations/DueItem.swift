import SubscriptionCore
import SubscriptionStorage
import Synchronization

/// Something due, as it is recognised when it fails again. With another instant it is another.
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

/// Due items that failed: after some failures they wait, so that the others go on without them.
///
/// It lives as long as the process: a restart tries everything again. So does a new fact, since it changes when the
/// purchase is due, and time: each pause is twice the one before.
final class FailedDueItems: Sendable {
    /// How often an item fails in a row before it is set aside.
    static let failuresMax = 3
    /// How many are remembered; further ones are tried each time.
    static let countMax = 10_000
    static let firstPause = Duration.seconds(60)
    static let longestPause = Duration.seconds(3_600)

    private struct Failure {
        var count = 0
        /// When it is tried again; nil where it is not set aside.
        var retryAt: Duration?
    }

    private let failures = Mutex<[DueItem: Failure]>([:])
    private let elapsed: @Sendable () -> Duration

    init(elapsed: @escaping @Sendable () -> Duration) { self.elapsed = elapsed }

    /// How many are set aside.
    var setAsideCount: Int { failures.withLock { $0.values.count { $0.retryAt != nil } } }

    /// What is not to be tried now.
    var resting: Set<DueItem> {
        let now = elapsed()
        return failures.withLock { failures in
            Set(failures.compactMap { item, failure in failure.retryAt.map { $0 > now } ?? false ? item : nil })
        }
    }

    /// Notes a failure, and says whether the item is set aside by it, which it was not before.
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

    /// Forgets what succeeded.
    func forget(_ items: [DueItem]) {
        failures.withLock { failures in
            guard !failures.isEmpty else { return }
            for item in items { failures[item] = nil }
        }
    }

    /// Forgets, of one kind, what is not due any more.
    func keep(_ kind: DueItem.Kind, in due: Set<DueItem>) {
        failures.withLock { failures in
            guard !failures.isEmpty else { return }
            failures = failures.filter { $0.key.kind != kind || due.contains($0.key) }
        }
    }
}
