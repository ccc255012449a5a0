import Logging
import SubscriptionCore
import SubscriptionStorage
import Synchronization

/// Lines about comparisons that fail or find something, for the log of a running server. They have no data of
/// customers.
final class RecoveryLog: Sendable {
    /// What is known of a running window.
    private struct Report {
        /// The codes of the failures that are in the log already.
        var codes: Set<String> = []
        /// The first notifications that could not be stored, each with its code.
        var missing: [String] = []
    }

    private struct State {
        var logger: Logger?
        var reports: [RecoveryWindowID: Report] = [:]

        /// Keeps what is known of a window, and forgets the window if that is nothing.
        mutating func keep(_ report: Report, of window: RecoveryWindowID) {
            guard !report.codes.isEmpty || !report.missing.isEmpty else {
                reports[window] = nil
                return
            }
            // A window that another server ended stays known. All are forgotten before they are too many.
            if reports[window] == nil, reports.count >= windowsMax { reports = [:] }
            reports[window] = report
        }
    }

    /// The number of running windows that are known; an app usually has one.
    private static let windowsMax = 1_000
    /// The number of missing notifications that are named.
    private static let namesMax = 10

    private let state = Mutex(State())

    /// Writes to a log from now on.
    func begin(_ logger: Logger) { state.withLock { $0.logger = logger } }

    /// Notes which notifications could not be stored. They are named when the window ends.
    func note(
        _ inputs: [VerifiedInput],
        _ outcomes: [Result<FactIntake.Outcome, StorageError>],
        in window: RecoveryWindowID
    ) {
        state.withLock { state in
            var report = state.reports[window] ?? Report()
            for case (let input, .failure(let error)) in zip(inputs, outcomes) {
                guard report.missing.count < Self.namesMax, let id = input.items.first?.evidence.id else { continue }
                let name = "\(id.notificationUUID ?? id.rawValue) (\(error.code.rawValue))"
                // A history that is read again has it again.
                if !report.missing.contains(name) { report.missing.append(name) }
            }
            state.keep(report, of: window)
        }
    }

    /// Reports a failure once, not at each retry, and what a window that ended has not stored.
    func note(_ window: RecoveryWindow, of app: AppID) {
        let (logger, report, isNew) = state.withLock { state -> (Logger?, Report, Bool) in
            var report = state.reports[window.id] ?? Report()
            let isNew = window.failure.map { report.codes.insert($0.code).inserted } ?? false
            state.keep(window.state == .running ? report : Report(), of: window.id)
            return (state.logger, report, isNew)
        }
        var metadata: Logger.Metadata = ["app": "\(app)", "window": "\(window.id.rawValue)"]
        if let failure = window.failure { metadata["code"] = "\(failure.code)" }
        let reading = "GET /v1/recovery/windows/\(window.id.rawValue) has the reason"
        switch window.state {
        case .running:
            guard isNew else { return }
            logger?.warning(
                "A query for Apple's notification history failed and is repeated: \(reading)",
                metadata: metadata
            )
        case .failed:
            logger?.error("A comparison with Apple's notification history failed: \(reading)", metadata: metadata)
        case .finished:
            let (refused, missing) = (window.counts.refused, window.counts.missing)
            guard refused + missing > 0 else { return }
            metadata["refused"] = "\(refused)"
            metadata["missing"] = "\(missing)"
            let problems = window.problems.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            metadata["problems"] = "\(problems.joined(separator: ", "))"
            if missing > 0, !report.missing.isEmpty {
                metadata["missing_notifications"] = "\(report.missing.joined(separator: ", "))"
            }
            logger?.warning(
                "A comparison with Apple's notification history refused notifications or could not store them",
                metadata: metadata
            )
        }
    }
}
