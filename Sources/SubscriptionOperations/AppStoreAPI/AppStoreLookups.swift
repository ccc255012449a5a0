import SubscriptionCore

/// Bounds what waits for the App Store Server API: how many requests of an app, and how long each.
final class AppStoreLookups: Sendable {
    private let limits: AppStoreLimits
    private let slots: AppSlots

    init(_ limits: AppStoreLimits) {
        self.limits = limits
        slots = AppSlots(limits.lookupsMax)
    }

    /// How many requests wait for the App Store.
    var waiting: Int { slots.count }

    /// Does work that asks the App Store, as many calls as it takes, within one deadline.
    ///
    /// - Throws: ``OperationError`` `app_store_busy` where as many as may are waiting; `app_store_unavailable` after
    ///   the deadline; what the work throws.
    func run<Value: Sendable>(
        for app: AppID,
        _ work: @escaping @Sendable () async throws(OperationError) -> Value
    ) async throws(OperationError) -> Value {
        try await slots.run(for: app, orThrow: .appStoreBusy) { () throws(OperationError) in
            try await withinDeadline(work)
        }
    }

    private func withinDeadline<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(OperationError) -> Value
    ) async throws(OperationError) -> Value {
        let deadline = Duration.milliseconds(limits.lookupMillisecondsMax)
        let outcome = await withTaskGroup(of: Result<Value, OperationError>?.self) { group in
            // Hundreds of signatures may be checked: not where requests are answered.
            group.addTask(executorPreference: globalConcurrentExecutor) {
                do throws(OperationError) {
                    return .success(try await work())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                // Whether it slept or was cancelled: the first of the two decides.
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
    /// More is asked of the App Store than this server asks at a time.
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
