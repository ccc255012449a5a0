import SubscriptionStorage

/// The database as a process sees it: at the other end of a connection, with faults.
struct SimulatedDatabase: SubscriptionDatabase {
    let base: any SubscriptionDatabase
    let process: ServerProcess
    let world: SimulatedWorld

    /// Nil: another process writes too.
    var commits: CustomerCommits? { nil }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await cross()
        if world.happens(.disk, 0.000_5) { throw .simulated(.unavailable) }
        let result = try await world.executor.outside { () async throws(StorageError) in try await base.read(body) }
        try await cross()
        return result
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await cross()
        if world.happens(.disk, 0.004), let code = world.pick([StorageError.Code.unavailable, .full, .busy, .timedOut])
        {
            throw .simulated(code)
        }
        let result = try await world.executor.outside { () async throws(StorageError) in try await base.write(body) }
        world.countCommit()
        if world.happens(.disk, 0.002) { throw .simulated(.commitUnknown) }
        try await cross()
        return result
    }

    /// The database outlives the process.
    func close() async throws(StorageError) {}

    private func cross() async throws(StorageError) {
        do throws(ServerProcess.Ended) {
            try await process.cross(0...3)
        } catch {
            throw .simulated(.unavailable)
        }
    }
}

extension StorageError {
    fileprivate static func simulated(_ code: Code) -> StorageError {
        StorageError(code, "A fault of the simulation.", isRetryable: true)
    }
}
