import Foundation

/// Times as people type and read them, in ISO 8601.
enum TypedInstant {
    /// Milliseconds since 1970. Of a date its first instant in UTC, of a time of day with `Z` or an offset that
    /// instant.
    static func milliseconds(_ text: String) -> Int64? {
        let styles = [
            Date.ISO8601FormatStyle(),
            Date.ISO8601FormatStyle(includingFractionalSeconds: true),
            Date.ISO8601FormatStyle().year().month().day(),
        ]
        // What one style does not read, another may.
        guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first else { return nil }
        return Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded())
    }

    /// The instant as a person reads it.
    static func text(_ milliseconds: Int64) -> String {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
