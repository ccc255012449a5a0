/// Makes foreign text safe for a terminal.
package enum TerminalText {
    /// The text with control characters and bidirectional overrides escaped, which a terminal might interpret.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if isUnsafe(scalar) {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// One line of text: line breaks are escaped too, so that a foreign text cannot look like a line of the program.
    package static func escapedLine(_ text: String) -> String { escaped(text).replacing("\n", with: "\\u000a") }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
