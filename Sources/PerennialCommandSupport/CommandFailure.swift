package import ArgumentParser
package import Logging

/// How a command ends when it could not do its work.
package enum CommandFailure {
    /// The exit statuses of `perennial`.
    package enum Status: Int32 {
        /// The answer is "no", or the work failed.
        case failed = 1
        /// Wrong usage, where it shows only after parsing; the parser's own status for what it refuses itself.
        case wrongUsage = 64
        /// The configuration is wrong.
        case wrongConfiguration = 78
    }

    /// Writes `error: …` to standard error and gives what ends the command with the status.
    package static func report(_ text: String, status: Status) -> ExitCode {
        StandardError.printLine("error: \(text)")
        return ExitCode(status.rawValue)
    }
}

extension Logger {
    /// A logger that writes to standard error.
    package static func standardError(label: String, level: Logger.Level) -> Logger {
        var logger = Logger(label: label) { _ in TextLogHandler() }
        logger.logLevel = level
        return logger
    }
}
