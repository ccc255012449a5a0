public import SubscriptionCore
import Synchronization

/// Counts the commits of this process that touched a customer, so that what was read of one can be remembered until the
/// next.
///
/// Customers share counters: another one's commit may look like one's own, never the other way round.
public final class CustomerCommits: Sendable {
    /// A customer's count at one instant.
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

    /// Starts at nothing.
    public init() {}

    /// A customer's count. Take it before reading: what was read then holds as long as the count stays the same.
    public func count(of customer: CustomerID, app: AppID) -> Count {
        let place = Self.place(of: customer, app: app)
        return counters.withLock { Count(own: $0.own[place], all: $0.all) }
    }

    /// Counts a commit that saved customers.
    public func note(_ saved: [(customer: CustomerID, app: AppID)]) {
        guard !saved.isEmpty else { return }
        let places = saved.map { Self.place(of: $0.customer, app: $0.app) }
        counters.withLock { counters in
            for place in places { counters.own[place] += 1 }
        }
    }

    /// Counts a write of which nobody knows whether it was committed.
    public func noteUnknown() {
        counters.withLock { $0.all += 1 }
    }

    private static func place(of customer: CustomerID, app: AppID) -> Int {
        var hasher = Hasher()
        hasher.combine(customer)
        hasher.combine(app)
        return Int(truncatingIfNeeded: UInt(bitPattern: hasher.finalize()) % UInt(counterCount))
    }
}
