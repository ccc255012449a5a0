import PerennialCommandSupport
import SubscriptionStorage
import Synchronization

/// Prints the steps of a migration when they end, and counts them.
final class MigrationOutput: Sendable {
    private struct State {
        var printed = 0
        var migrated = 0
    }

    private let names: [String]
    private let printsSteps: Bool
    private let progress = Progress()
    private let state = Mutex(State())

    /// Makes an output.
    ///
    /// - Parameters:
    ///   - names: The names of all steps, in order.
    ///   - printsSteps: Whether the steps are printed.
    init(names: [String], printsSteps: Bool) {
        self.names = names
        self.printsSteps = printsSteps
    }

    /// Takes the progress of the engine.
    func take(_ event: MigrationProgress) {
        switch event {
        case .waiting:
            progress.log("Another process migrates the database. Waiting until it is done.")
        case .started(let done):
            state.withLock { $0.migrated = 0 }
            printEarlier(through: done)
        case .began(let step):
            progress.update("step \(step.number) of \(step.count): \(step.name)")
        case .ended(let step, let duration):
            state.withLock { $0.migrated += 1 }
            printLine("done now    \(step.name) (\(Self.seconds(duration)) s)", of: step.number)
        }
    }

    /// Prints the steps that this process did not run.
    ///
    /// - Returns: The number of steps that it ran.
    func finish() -> Int {
        printEarlier(through: names.count)
        return state.withLock { $0.migrated }
    }

    /// Removes a temporary line.
    func clear() { progress.update("") }

    private func printEarlier(through last: Int) {
        for (index, name) in names.prefix(last).enumerated() { printLine("done before \(name)", of: index + 1) }
    }

    private func printLine(_ line: String, of number: Int) {
        guard printsSteps else { return }
        let isNew = state.withLock { state in
            defer { state.printed = max(state.printed, number) }
            return number > state.printed
        }
        if isNew { progress.show(line) }
    }

    private static func seconds(_ duration: Duration) -> String {
        let tenths = duration.components.attoseconds / 100_000_000_000_000_000
        return "\(duration.components.seconds).\(tenths)"
    }
}
