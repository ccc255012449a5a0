import Foundation

/// Standard error: for what is said beside the result.
enum StandardError {
    /// Writes one line.
    static func printLine(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
