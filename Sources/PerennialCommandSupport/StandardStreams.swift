import Foundation

/// Standard error: for output beside the result.
package enum StandardError {
    /// Writes a text unchanged.
    package static func write(_ text: String) {
        _ = FileHandle.standardError.writeWhereRead(text)
    }

    /// Writes one line.
    package static func printLine(_ line: String) {
        write(line + "\n")
    }
}

/// Standard output for programs that wait for a line: flushed at once, whatever it is connected to.
package enum StandardOutput {
    /// Writes one line.
    ///
    /// - Returns: `false` if the output has no reader.
    @discardableResult
    package static func printLine(_ line: String) -> Bool {
        FileHandle.standardOutput.writeWhereRead(line + "\n")
    }
}

extension FileHandle {
    /// Writes a text; unlike `write(_:)`, a closed pipe does not crash the program.
    fileprivate func writeWhereRead(_ text: String) -> Bool {
        do {
            try write(contentsOf: Data(text.utf8))
            return true
        } catch {
            return false
        }
    }
}
