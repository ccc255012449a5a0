/// The time by which a running clock runs; given from outside, so that tests need not wait.
public protocol RealTimeSource: Sendable {
    /// Milliseconds since some instant, never going back.
    func milliseconds() -> Int64

    /// Waits.
    ///
    /// - Parameter milliseconds: How long, at least.
    /// - Throws: `CancellationError`.
    func sleep(milliseconds: Int64) async throws
}

/// The time of this machine, which goes on while the machine sleeps.
public struct SystemTimeSource: RealTimeSource {
    private let start = ContinuousClock.now

    /// Begins to count.
    public init() {}

    /// Milliseconds since this source was made.
    public func milliseconds() -> Int64 {
        let passed = (ContinuousClock.now - start).components
        return passed.seconds * 1_000 + passed.attoseconds / 1_000_000_000_000_000
    }

    /// Waits.
    ///
    /// - Throws: `CancellationError`.
    public func sleep(milliseconds: Int64) async throws {
        try await Task.sleep(for: .milliseconds(milliseconds))
    }
}
