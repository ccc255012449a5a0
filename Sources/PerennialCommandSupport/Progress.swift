#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What a run tells: results on stdout; how far it is on stderr, there one line that is written over on a terminal
/// and a line for each month elsewhere.
package struct Progress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) != 0

    /// Finds out whether standard error is a terminal.
    package init() {}

    /// A step forward, too small to be kept.
    package func update(_ text: String) {
        guard isTerminal else { return }
        write("\r\u{1B}[K" + text)
    }

    /// Something worth a line of its own.
    package func say(_ text: String) {
        write((isTerminal ? "\r\u{1B}[K" : "") + text + "\n")
    }

    /// A result. Written at once, also where stdout is a pipe or a file.
    ///
    /// - Returns: `false` where nobody reads any more.
    @discardableResult
    package func show(_ text: String) -> Bool {
        update("")
        return StandardOutput.printLine(text)
    }

    private func write(_ text: String) {
        StandardError.write(text)
    }
}
