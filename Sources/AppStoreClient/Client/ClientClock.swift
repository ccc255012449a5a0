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

    /// Waits.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(milliseconds: Int64) async throws(CancellationError)
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
