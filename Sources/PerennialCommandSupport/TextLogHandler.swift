import Foundation
package import Logging

/// Writes the log as text: time, level, message, then the metadata as `name=value`.
package struct TextLogHandler: LogHandler {
    /// Less important messages are not written.
    package var logLevel = Logger.Level.notice
    /// Added to every line.
    package var metadata: Logger.Metadata = [:]
    private let write: @Sendable (String) -> Void

    /// Makes a handler.
    ///
    /// - Parameter write: Receives a line without a line break.
    package init(write: @escaping @Sendable (String) -> Void = { StandardError.printLine($0) }) {
        self.write = write
    }

    /// One value of ``metadata``.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line.
    package func log(event: LogEvent) {
        var parts = [Date.now.formatted(.iso8601), event.level.rawValue, event.message.description]
        if let error = event.error { parts.append("error=\(Self.shown("\(error)"))") }
        let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            parts.append("\(name)=\(Self.shown(value.description))")
        }
        let line = parts.joined(separator: " ").split(whereSeparator: \.isNewline).joined(separator: " ")
        write(TerminalText.escaped(line))
    }

    /// Quoted if it is not a single word.
    private static func shown(_ value: String) -> String {
        value.isEmpty || value.contains(" ") ? "\"\(value)\"" : value
    }
}
