import Foundation

/// Standard error: output other than the result.
package enum StandardError {
    /// Writes a text unchanged.
    package static func write(_ text: String) {
        _ = FileHandle.standardError.writeIfOpen(text)
    }

    /// Writes one line.
    package static func printLine(_ line: String) {
        write(line + "\n")
    }
}

/// Standard output, flushed after each line, because programs may wait for the line.
package enum StandardOutput {
    /// Writes one line.
    ///
    /// - Returns: `false` if the output has no reader.
    @discardableResult
    package static func printLine(_ line: String) -> Bool {
        FileHandle.standardOutput.writeIfOpen(line + "\n")
    }
}

extension FileHandle {
    /// Writes a text; unlike `write(_:)`, a closed pipe does not crash the program.
    fileprivate func writeIfOpen(_ text: String) -> Bool {
        do {
            try write(contentsOf: Data(text.utf8))
            return true
        } catch {
            return false
        }
    }
}
