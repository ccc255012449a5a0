#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The time of the client: two clocks and a way to wait.
///
/// Deadlines and rate limits use the monotonic clock, so that a corrected wall clock neither ends nor prolongs a call.
/// Tokens and Apple's dates need the wall clock.
public protocol ClientClock: Sendable {
    /// Now, in milliseconds since 1970-01-01T00:00:00Z.
    var wallMilliseconds: Int64 { get }

    /// Now, in milliseconds since a fixed time; never decreases.
    var monotonicMilliseconds: Int64 { get }

    /// Whether ``wallMilliseconds`` is the real time, so that a server's `Date` may be compared with it. The default is
    /// true; the clock of a local store is virtual, so its rate limits neither delay later calls nor are waited for.
    var isRealTime: Bool { get }

    /// Waits.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(milliseconds: Int64) async throws(CancellationError)

    /// Waits for a deadline of other work; usually the work ends first, and the wait is cancelled.
    ///
    /// Sleeps by default. A clock that skips sleeps must not skip this one, or every deadline would be exceeded.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func waitForDeadline(milliseconds: Int64) async throws(CancellationError)
}

extension ClientClock {
    /// True.
    public var isRealTime: Bool { true }

    /// Sleeps.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitForDeadline(milliseconds: Int64) async throws(CancellationError) {
        try await sleep(milliseconds: milliseconds)
    }

    /// Does work with a time limit; nil if the limit was exceeded.
    ///
    /// The work is then cancelled and must end; its result is ignored.
    ///
    /// - Throws: Errors of the work, and `CancellationError` when the task is cancelled.
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

/// The system's clocks.
public struct SystemClientClock: ClientClock {
    private let start = ContinuousClock.now

    /// Whether the called servers have the real time too.
    public let isRealTime: Bool

    /// Makes the clock.
    ///
    /// - Parameter isRealTime: False to call a local store, whose clock is virtual.
    public init(isRealTime: Bool = true) { self.isRealTime = isRealTime }

    /// Now, by the system's wall clock.
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
    /// The duration in whole milliseconds, clamped to 64 bits.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
