import Logging
import Synchronization

/// Records the lines of a log at every level.
struct RecordingLogHandler: LogHandler {
    let lines: Lines
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    final class Lines: Sendable {
        private let recorded = Mutex<[String]>([])
        var all: [String] { recorded.withLock { $0 } }
        func add(_ line: String) { recorded.withLock { $0.append(line) } }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
        lines.add("\(event.level) \(event.message) \(all)")
    }
}
