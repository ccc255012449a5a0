package import Logging

/// The settings of the log on standard error.
package struct LogSettings: Hashable, Sendable {
    /// The format of a line.
    package enum Format: String, CaseIterable, Sendable {
        /// `text` on a terminal, `json` elsewhere.
        case auto
        /// For people.
        case text
        /// One JSON object per line.
        case json
    }

    /// The format of a line.
    package var format: Format
    /// The minimum level.
    package var level: Logger.Level

    /// Makes settings.
    package init(format: Format = .auto, level: Logger.Level = .notice) {
        self.format = format
        self.level = level
    }
}
