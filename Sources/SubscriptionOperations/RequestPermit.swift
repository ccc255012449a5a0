/// A request's permit among the concurrent requests. It is released while the request waits for the App Store, so that
/// a slow App Store does not block other requests.
public protocol RequestPermit: Sendable {
    /// Releases the permit during work and acquires it again afterwards.
    ///
    /// - Throws: What the work throws.
    func released<Value: Sendable>(
        during work: () async throws(OperationError) -> Value
    ) async throws(OperationError) -> Value
}

/// The permit of a request that is not limited.
public struct NoRequestPermit: RequestPermit {
    /// Makes a permit.
    public init() {}

    /// Runs the work.
    public func released<Value: Sendable>(
        during work: () async throws(OperationError) -> Value
    ) async throws(OperationError) -> Value {
        try await work()
    }
}
