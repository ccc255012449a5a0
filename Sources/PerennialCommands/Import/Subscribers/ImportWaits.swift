import PerennialCommandSupport
import Synchronization

/// Says that the server takes no row at present, and why: at most every ten seconds, so that many waiting rows are one
/// line.
final class ImportWaits: Sendable {
    private static let interval = Duration.seconds(10)
    /// A busy server is waited for some seconds without a word.
    private static let quietAttempts = 3

    private let report: @Sendable (String) -> Void
    private let saidAt = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter report: Takes the lines.
    init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// Notes that a row was not taken.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts with this row.
    ///   - pause: The time until the next one.
    func note(_ error: ServerCallError, attempts: Int, pause: Duration) {
        // Another row's error ends the import, and with it this call.
        guard !Task.isCancelled else { return }
        guard attempts > Self.quietAttempts || error.code == "server_unreachable" else { return }
        let now = ContinuousClock.now
        let isDue = saidAt.withLock { saidAt in
            if let saidAt, now - saidAt < Self.interval { return false }
            saidAt = now
            return true
        }
        guard isDue else { return }
        let seconds = max(1, pause.components.seconds)
        report(TerminalText.escapedLine("waiting \(seconds) s: \(error.code): \(error.message)"))
    }
}
