#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The output of a run: results on stdout, progress on stderr. On a terminal, the progress is a single line that is
/// overwritten; otherwise there is a line per month.
package struct Progress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) != 0

    /// Determines whether standard error is a terminal.
    package init() {}

    /// A temporary progress line.
    package func update(_ text: String) {
        guard isTerminal else { return }
        write("\r\u{1B}[K" + text)
    }

    /// A permanent progress line.
    package func log(_ text: String) {
        write((isTerminal ? "\r\u{1B}[K" : "") + text + "\n")
    }

    /// A result, flushed at once even if stdout is a pipe or a file.
    ///
    /// - Returns: `false` if the output has no reader.
    @discardableResult
    package func show(_ text: String) -> Bool {
        update("")
        return StandardOutput.printLine(text)
    }

    private func write(_ text: String) {
        StandardError.write(text)
    }
}
