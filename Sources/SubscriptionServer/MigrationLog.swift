import Logging
import SubscriptionStorage
import Synchronization

/// Logs the steps of a migration. The steps that make a new database are not logged.
final class MigrationLog: Sendable {
    private let logger: Logger
    private let isNew = Mutex(false)

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Takes the progress of the engine.
    func take(_ event: MigrationProgress) {
        switch event {
        case .waiting:
            logger.notice("Another process migrates the database. Waiting until it is done")
        case .started(let done):
            isNew.withLock { $0 = done == 0 }
        case .began(let step):
            guard !isNew.withLock({ $0 }) else { return }
            logger.notice(
                "Migrating the tables: step \(step.number) of \(step.count)",
                metadata: ["step": "\(step.name)"]
            )
        case .ended(let step, let duration):
            guard !isNew.withLock({ $0 }) else { return }
            let milliseconds = duration / .milliseconds(1)
            logger.info("Step done", metadata: ["step": "\(step.name)", "duration_ms": "\(Int(milliseconds))"])
        }
    }
}
