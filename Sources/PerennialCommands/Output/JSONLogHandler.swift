import AppStoreModel
import Foundation
import Logging
import PerennialCommandSupport

/// Writes each log line as one JSON object to standard error, for log collectors.
///
/// Every line has `time` (ISO 8601, UTC), `level`, `logger` and `message`; metadata follows under its own names.
struct JSONLogHandler: LogHandler {
    private static let reserved: Set<String> = ["time", "level", "logger", "message"]

    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]
    private let label: String
    private let write: @Sendable (String) -> Void

    /// Makes a handler.
    ///
    /// - Parameter write: Receives a line without a line break.
    init(label: String, write: @escaping @Sendable (String) -> Void = { StandardError.printLine($0) }) {
        self.label = label
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var object = JSONObject()
        object["time"] = .string(Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        object["level"] = .string(event.level.rawValue)
        object["logger"] = .string(label)
        object["message"] = .string(event.message.description)
        if let error = event.error { object["error"] = .string("\(error)") }
        let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            object[Self.reserved.contains(name) ? name + "_" : name] = Self.json(value)
        }
        write(String(decoding: object.serialize(), as: UTF8.self))
    }

    private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .array(let values): .array(values.map(json))
        case .dictionary(let values):
            .object(
                values.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = json($1.value) }
            )
        }
    }
}
