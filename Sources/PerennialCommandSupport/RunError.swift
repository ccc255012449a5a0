/// Why the demo, or a benchmark of running programs, failed.
package struct RunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable reason.
    package enum Code: String, Sendable {
        /// The folder for temporary files is not writable, or the program's own file was not found.
        case notStarted = "demo_not_started"
        /// The given database already has tables.
        case databaseInUse = "database_in_use"
        /// The store or the server did not start, or ended.
        case programEnded = "demo_program_ended"
        /// A call was refused.
        case callRefused = "demo_call_refused"
        /// A call had no answer.
        case callFailed = "demo_call_failed"
        /// An answer was not as expected.
        case answerUnexpected = "demo_answer_unexpected"
        /// Anything else.
        case failed = "demo_failed"
    }

    /// The stable reason.
    package let code: Code
    /// A message for the user, with the remedy if there is one.
    package let message: String
    /// The end of the log of the program that ended.
    package let log: String?

    /// Makes an error.
    package init(_ code: Code, _ message: String, log: String? = nil) {
        self.code = code
        self.message = message
        self.log = log
    }

    /// Code and message, on one line and safe for a terminal.
    package var description: String {
        "\(code.rawValue): \(TerminalText.escaped(message.split(whereSeparator: \.isNewline).joined(separator: " ")))"
    }
}
