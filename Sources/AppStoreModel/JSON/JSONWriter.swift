/// Writes JSON text without white space, members in their order.
struct JSONWriter {
    private static let hexDigits = Array("0123456789abcdef".utf8)

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

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: Self.needsEscape) {
            for byte in text.utf8 { writeEscaped(byte) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func writeEscaped(_ byte: UInt8) {
        guard Self.needsEscape(byte) else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Self.hexDigits[Int(byte >> 4)])
            bytes.append(Self.hexDigits[Int(byte & 0xF)])
        }
    }
}
