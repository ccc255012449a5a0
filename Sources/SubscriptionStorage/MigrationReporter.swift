import Synchronization

/// Reports the steps of a migration with their durations.
package final class MigrationReporter: Sendable {
    private struct Running {
        let step: MigrationProgress.Step
        let since: ContinuousClock.Instant
    }

    private let observer: MigrationProgress.Observer
    private let running = Mutex<Running?>(nil)

    /// Makes a reporter for one migration.
    package init(_ observer: @escaping MigrationProgress.Observer) {
        self.observer = observer
    }

    /// Reports that another process migrates.
    package func wait() { observer(.waiting) }

    /// Reports the start, or another attempt.
    ///
    /// - Parameter done: The number of steps that were applied before.
    package func start(done: Int) {
        running.withLock { $0 = nil }
        observer(.started(done: done))
    }

    /// Reports that the running step has ended, and that another one begins.
    package func begin(_ step: MigrationProgress.Step) {
        end()
        running.withLock { $0 = Running(step: step, since: ContinuousClock.now) }
        observer(.began(step))
    }

    /// Reports that the running step has ended.
    package func end() {
        let ended = running.withLock { running in
            defer { running = nil }
            return running
        }
        guard let ended else { return }
        observer(.ended(ended.step, duration: ContinuousClock.now - ended.since))
    }

    /// The error with the name of the running step.
    package func named(_ error: StorageError) -> StorageError {
        guard let name = running.withLock({ $0?.step.name }) else { return error }
        return StorageError(
            error.code,
            "The migration step \"\(name)\" failed. \(error.message)",
            isRetryable: error.isRetryable,
            detail: error.detail
        )
    }
}
