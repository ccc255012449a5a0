import ArgumentParser
import Logging
import SubscriptionServer

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension Logger {
    /// A logger that writes to standard error as the settings have it.
    static func standardError(label: String, _ settings: LogSettings) -> Logger {
        let isJSON =
            switch settings.format {
            case .auto: isatty(STDERR_FILENO) == 0
            case .text: false
            case .json: true
            }
        guard isJSON else { return .standardError(label: label, level: settings.level) }
        var logger = Logger(label: label) { JSONLogHandler(label: $0) }
        logger.logLevel = settings.level
        return logger
    }
}

extension LogSettings.Format: ExpressibleByArgument {}
