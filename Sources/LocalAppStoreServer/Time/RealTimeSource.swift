/// The time source of a running clock; injected, so that tests need not wait.
public protocol RealTimeSource: Sendable {
    /// Milliseconds since a fixed time; never decreases.
    func milliseconds() -> Int64

    /// Waits.
    ///
    /// - Parameter milliseconds: The minimum duration.
    /// - Throws: `CancellationError`.
    func sleep(milliseconds: Int64) async throws
}

/// The time of this machine, which continues while the machine sleeps.
public struct SystemTimeSource: RealTimeSource {
    private let start = ContinuousClock.now

    /// Starts counting.
    public init() {}

    /// Milliseconds since this source was created.
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
