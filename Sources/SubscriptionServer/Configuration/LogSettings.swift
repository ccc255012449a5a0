package import Logging

/// How a server writes its log to standard error.
package struct LogSettings: Hashable, Sendable {
    /// The form of a line.
    package enum Format: String, CaseIterable, Sendable {
        /// `text` on a terminal, `json` elsewhere.
        case auto
        /// For people.
        case text
        /// One JSON object a line.
        case json
    }

    /// The form of a line.
    package var format: Format
    /// What is less important is left out.
    package var level: Logger.Level

    /// Makes settings.
    package init(format: Format = .auto, level: Logger.Level = .notice) {
        self.format = format
        self.level = level
    }
}
