package import ArgumentParser
package import Logging

/// How a command ends after a failure.
package enum CommandFailure {
    /// The exit statuses of `perennial`.
    package enum Status: Int32 {
        /// The answer is "no", or the command failed.
        case failed = 1
        /// Wrong usage that is found after parsing; the same status as the parser's own.
        case wrongUsage = 64
        /// The configuration is invalid.
        case wrongConfiguration = 78
    }

    /// Writes `error: …` to standard error, and returns the error that ends the command with the status.
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
