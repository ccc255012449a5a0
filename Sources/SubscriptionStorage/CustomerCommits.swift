public import SubscriptionCore
import Synchronization

/// Counts this process's commits per customer, so that data read about a customer can be cached until the next commit.
///
/// Customers share counters: a commit of another customer may change a count, but a commit of the customer always does.
public final class CustomerCommits: Sendable {
    /// The count of a customer at a time.
    public struct Count: Hashable, Sendable {
        fileprivate let own: UInt64
        fileprivate let all: UInt64
    }

    private struct Counters {
        var own = [UInt64](repeating: 0, count: CustomerCommits.counterCount)
        var all: UInt64 = 0
    }

    private static let counterCount = 4_096

    private let counters = Mutex(Counters())

    /// Makes counters that start at 0.
    public init() {}

    /// The count of a customer. Take it before a read: the data stays current while the count is the same.
    public func count(of customer: CustomerID, app: AppID) -> Count {
        let index = Self.index(of: customer, app: app)
        return counters.withLock { Count(own: $0.own[index], all: $0.all) }
    }

    /// Counts a commit that saved customers.
    public func note(_ saved: [(customer: CustomerID, app: AppID)]) {
        guard !saved.isEmpty else { return }
        let indices = saved.map { Self.index(of: $0.customer, app: $0.app) }
        counters.withLock { counters in
            for index in indices { counters.own[index] += 1 }
        }
    }

    /// Counts a write with an unknown commit.
    public func noteUnknown() {
        counters.withLock { $0.all += 1 }
    }

    private static func index(of customer: CustomerID, app: AppID) -> Int {
        var hasher = Hasher()
        hasher.combine(customer)
        hasher.combine(app)
        return Int(truncatingIfNeeded: UInt(bitPattern: hasher.finalize()) % UInt(counterCount))
    }
}
