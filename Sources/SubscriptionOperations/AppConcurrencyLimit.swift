import SubscriptionCore
import Synchronization

/// Limits the number of concurrent operations of one kind for each app.
final class AppConcurrencyLimit: Sendable {
    private let countMax: Int
    private let counts = Mutex<[AppID: Int]>([:])

    init(_ countMax: Int) { self.countMax = countMax }

    /// The number of running operations of all apps.
    var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// Runs work in a slot.
    ///
    /// - Throws: The refusal if no slot is free; what the work throws.
    func run<Value: Sendable>(
        for app: AppID,
        orThrow refusal: OperationError,
        _ work: () async throws(OperationError) -> Value
    ) async throws(OperationError) -> Value {
        guard enter(app) else { throw refusal }
        defer { leave(app) }
        return try await work()
    }

    private func enter(_ app: AppID) -> Bool {
        counts.withLock { counts in
            let count = counts[app, default: 0]
            guard count < countMax else { return false }
            counts[app] = count + 1
            return true
        }
    }

    private func leave(_ app: AppID) {
        counts.withLock { counts in
            guard let count = counts[app] else { return }
            counts[app] = count > 1 ? count - 1 : nil
        }
    }
}
