/// The place that a request has among those under way. It is given back while the request waits for the App Store, so
/// that a slow App Store keeps nobody else out.
public protocol RequestPlace: Sendable {
    /// Does work without the place, and takes it again after.
    ///
    /// - Throws: What the work throws.
    func givenBack<Value: Sendable>(
        during work: () async throws(OperationError) -> Value
    ) async throws(OperationError) -> Value
}

/// Where places are not counted.
public struct NoRequestPlace: RequestPlace {
    /// Makes it.
    public init() {}

    /// Does the work.
    public func givenBack<Value: Sendable>(
        during work: () async throws(OperationError) -> Value
    ) async throws(OperationError) -> Value {
        try await work()
    }
}
