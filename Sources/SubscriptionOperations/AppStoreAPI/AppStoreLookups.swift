import SubscriptionCore

/// Limits the number and duration of requests that wait for the App Store Server API.
final class AppStoreLookups: Sendable {
    /// A call ends by itself at its deadline, and says whether it was sent. Only work of several calls takes longer.
    private static let margin = Duration.milliseconds(500)

    private let limits: AppStoreLimits
    private let concurrency: AppConcurrencyLimit

    init(_ limits: AppStoreLimits) {
        self.limits = limits
        concurrency = AppConcurrencyLimit(limits.lookupsMax)
    }

    /// The number of requests that wait for the App Store.
    var waiting: Int { concurrency.count }

    /// Runs work with any number of App Store calls within one deadline.
    ///
    /// - Throws: ``OperationError`` `app_store_busy` if the limit is reached; `app_store_unavailable` after the
    ///   deadline; what the work throws.
    func run<Value: Sendable>(
        for app: AppID,
        _ work: @escaping @Sendable () async throws(OperationError) -> Value
    ) async throws(OperationError) -> Value {
        try await concurrency.run(for: app, orThrow: .appStoreBusy) { () throws(OperationError) in
            try await withinDeadline(work)
        }
    }

    private func withinDeadline<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(OperationError) -> Value
    ) async throws(OperationError) -> Value {
        let deadline = Duration.milliseconds(limits.lookupMillisecondsMax) + Self.margin
        let outcome = await withTaskGroup(of: Result<Value, OperationError>?.self) { group in
            // Hundreds of signatures may be verified, so this does not run on the request's executor.
            group.addTask(executorPreference: ProcessSurroundings.backgroundExecutor) {
                do throws(OperationError) {
                    return .success(try await work())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                // Sleep may be cancelled; the first finished task decides.
                try? await Task.sleep(for: deadline)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let outcome else { throw .appStoreTooSlow }
        return try outcome.get()
    }
}

extension OperationError {
    /// The limit of concurrent App Store requests is reached.
    static let appStoreBusy = OperationError(
        "app_store_busy",
        "As many requests as this server allows are waiting for the App Store. Nothing was changed; send it "
            + "again in some "
            + "seconds.",
        kind: .unavailable
    )

    fileprivate static let appStoreTooSlow = OperationError(
        "app_store_unavailable",
        "The App Store Server API did not answer in time. Nothing was changed; send it again.",
        kind: .unavailable
    )
}
