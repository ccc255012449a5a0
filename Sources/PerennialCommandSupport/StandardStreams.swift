import Foundation

/// Standard error: for what is said beside the result.
package enum StandardError {
    /// Writes a text as it is.
    package static func write(_ text: String) {
        _ = FileHandle.standardError.writeWhereRead(text)
    }

    /// Writes one line.
    package static func printLine(_ line: String) {
        write(line + "\n")
    }
}

/// Standard output for programs that wait for a line: written at once, whatever it is connected to.
package enum StandardOutput {
    /// Writes one line.
    ///
    /// - Returns: `false` where nobody reads any more.
    @discardableResult
    package static func printLine(_ line: String) -> Bool {
        FileHandle.standardOutput.writeWhereRead(line + "\n")
    }
}

extension FileHandle {
    /// Writes a text; a reader that went away is no reason to crash, as it is for `write(_:)`.
    fileprivate func writeWhereRead(_ text: String) -> Bool {
        do {
            try write(contentsOf: Data(text.utf8))
            return true
        } catch {
            return false
        }
    }
}
