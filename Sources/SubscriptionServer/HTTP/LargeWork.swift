/// Work whose time grows with what was sent: done beside the event loops that answer requests, where it would hold up
/// the others.
enum LargeWork {
    /// What is smaller takes a fraction of a millisecond.
    private static let bytesMin = 64 << 10

    /// Does work, in place where there is little of it.
    ///
    /// - Parameter bytes: How much there is.
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
