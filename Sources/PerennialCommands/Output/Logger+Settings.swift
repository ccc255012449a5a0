import ArgumentParser
import Logging
import PerennialCommandSupport
import SubscriptionServer

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension Logger {
    /// A logger that writes to standard error by the settings.
    static func standardError(label: String, _ settings: LogSettings) -> Logger {
        guard settings.isJSON else { return .standardError(label: label, level: settings.level) }
        var logger = Logger(label: label) { JSONLogHandler(label: $0) }
        logger.logLevel = settings.level
        return logger
    }
}

extension LogSettings {
    /// Whether each line is a JSON object.
    var isJSON: Bool {
        switch format {
        case .auto: isatty(STDERR_FILENO) == 0
        case .text: false
        case .json: true
        }
    }
}

extension LogSettings.Format: ExpressibleByArgument {}
