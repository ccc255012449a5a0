/// Work whose duration grows with the size of the request. Large work runs outside the event loops, where it would
/// block other requests.
enum LargeWork {
    /// Smaller work takes a fraction of a millisecond.
    private static let bytesMin = 64 << 10

    /// Runs work, on the current executor if it is small.
    ///
    /// - Parameter bytes: The size of the work.
    static func run<Value: Sendable>(
        bytes: Int,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        guard bytes >= bytesMin else { return try work() }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await elsewhere(work) }
    }

    @concurrent private static func elsewhere<Value: Sendable>(
        _ work: @Sendable () throws -> Value
    ) async throws -> Value {
        try work()
    }
}
