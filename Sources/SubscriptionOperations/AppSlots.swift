import SubscriptionCore
import Synchronization

/// How much of one kind may be under way for an app at a time.
final class AppSlots: Sendable {
    private let countMax: Int
    private let counts = Mutex<[AppID: Int]>([:])

    init(_ countMax: Int) { self.countMax = countMax }

    /// How much is under way, of all apps.
    var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// Does work in a slot.
    ///
    /// - Throws: The refusal where no slot is free; what the work throws.
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
