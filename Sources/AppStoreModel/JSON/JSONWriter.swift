import PerennialPrimitives

/// Writes JSON text without white space, members in their order.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .decimal(let text): bytes.append(contentsOf: text.utf8)
        case .string(let text): write(text)
        case .array(let elements): write(elements)
        case .object(let object): write(object)
        }
    }

    mutating func write(_ object: JSONObject) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in object.members {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            write(member.key)
            bytes.append(UInt8(ascii: ":"))
            write(member.value)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func write(_ elements: [JSONValue]) {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            write(element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Copies stretches without escapes as a whole.
    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            while let index = JSONEscapes.first(in: utf8, from: start) {
                bytes.append(contentsOf: utf8[start..<index])
                writeEscape(utf8[index])
                start = index + 1
            }
            bytes.append(contentsOf: utf8[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func writeEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Hexadecimal.digit(byte >> 4))
            bytes.append(Hexadecimal.digit(byte))
        }
    }
}
