#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The time as the client sees it: two clocks and a way to wait.
///
/// Deadlines and rate limits count on the monotonic clock, so that a corrected wall clock neither ends nor prolongs a
/// call; tokens and Apple's instants need the wall clock.
public protocol ClientClock: Sendable {
    /// Now, in milliseconds since 1970-01-01T00:00:00Z.
    var wallMilliseconds: Int64 { get }

    /// Now, in milliseconds since some fixed instant; never runs backwards.
    var monotonicMilliseconds: Int64 { get }

    /// Whether ``wallMilliseconds`` is meant to be the time of the world, so that a server's `Date` may be compared
    /// with it; true unless said otherwise. The clock of a local store is its own.
    var tellsWorldTime: Bool { get }

    /// Waits.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(milliseconds: Int64) async throws(CancellationError)

    /// Waits for the end of the time that something else has; mostly that ends first, and this is cancelled.
    ///
    /// Sleeps unless said otherwise. A clock that passes over sleeping at once must not do so here, or nothing would
    /// ever be in time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func waitForDeadline(milliseconds: Int64) async throws(CancellationError)
}

extension ClientClock {
    /// True.
    public var tellsWorldTime: Bool { true }

    /// Sleeps.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitForDeadline(milliseconds: Int64) async throws(CancellationError) {
        try await sleep(milliseconds: milliseconds)
    }

    /// Does work that has only so long; nil when the time was over first.
    ///
    /// The work is cancelled then, and must end: what comes of it counts no more.
    ///
    /// - Throws: What the work throws, and `CancellationError` when the task is cancelled.
    func within<Value: Sendable>(
        milliseconds: Int64,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await waitForDeadline(milliseconds: milliseconds)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

/// The machine's own clocks.
public struct SystemClientClock: ClientClock {
    private let start = ContinuousClock.now

    /// Makes the clock.
    public init() {}

    /// Now, by the machine's wall clock.
    public var wallMilliseconds: Int64 {
        Int64(Date().timeIntervalSince1970 * 1000)
    }

    /// Milliseconds since the clock was made.
    public var monotonicMilliseconds: Int64 {
        (ContinuousClock.now - start).wholeMilliseconds
    }

    /// Waits on the continuous clock.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(milliseconds: Int64) async throws(CancellationError) {
        do {
            try await ContinuousClock().sleep(for: .milliseconds(max(0, milliseconds)))
        } catch {
            throw CancellationError()
        }
    }
}

extension Duration {
    /// The duration in milliseconds, the rest cut off, kept within 64 bits.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
