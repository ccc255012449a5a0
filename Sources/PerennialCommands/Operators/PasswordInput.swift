import Foundation
import PerennialCommandSupport

/// Reads a new password, from the terminal without showing it or from standard input.
enum PasswordInput {
    private static let bytesMax = 4 << 10
    private static let interrupt: UInt8 = 0x03
    private static let endOfInput: UInt8 = 0x04
    private static let deletions: Set<UInt8> = [0x08, 0x7F]
    private static let lineEnds: Set<UInt8> = [0x0A, 0x0D]

    /// - Parameter isPiped: Whether standard input contains the password.
    /// - Throws: The failure of the command, without the password.
    static func newPassword(isPiped: Bool) throws -> String {
        guard !isPiped else { return try piped() }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure.report(
                "terminal_missing: standard input is no terminal: give --password-stdin",
                status: .wrongUsage
            )
        }
        let first = try typed("Password: ")
        guard try typed("The same password again: ") == first else {
            throw CommandFailure.report("passwords_differ: the two passwords differ: try again", status: .failed)
        }
        return first
    }

    private static func piped() throws -> String {
        let data = try FileHandle.standardInput.read(upToCount: bytesMax + 1) ?? Data()
        guard data.count <= bytesMax, let text = String(data: data, encoding: .utf8) else {
            throw unreadable()
        }
        let line = text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
        guard !line.contains(where: \.isNewline) else { throw unreadable() }
        return line
    }

    private static func unreadable() -> any Error {
        CommandFailure.report("password_unreadable: the password must be one line of UTF-8", status: .failed)
    }

    /// Reads a line without showing it. The terminal sends each byte at once, so that an interruption does not leave it
    /// silent.
    private static func typed(_ prompt: String) throws -> String {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { throw unreadable() }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { throw unreadable() }
        defer {
            _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            StandardError.write("\n")
        }
        StandardError.write(prompt)
        var bytes: [UInt8] = []
        while bytes.count <= bytesMax {
            guard let byte = try FileHandle.standardInput.read(upToCount: 1)?.first else { break }
            if lineEnds.contains(byte) { break }
            if byte == interrupt || byte == endOfInput {
                throw CommandFailure.report("password_missing: nothing was changed", status: .failed)
            }
            if deletions.contains(byte) {
                while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
            } else {
                bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unreadable() }
        return text
    }
}
