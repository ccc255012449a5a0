extension ModelError {
    /// Throws if a request violates a documented rule.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken``.
    static func unless(
        _ condition: @autoclosure () -> Bool,
        _ path: String,
        _ message: @autoclosure () -> String
    ) throws(ModelError) {
        guard condition() else { throw ModelError(.ruleBroken, path: path, message: message()) }
    }
}

extension String {
    /// Whether the text is a UUID with its four hyphens, in either case.
    var isUUID: Bool {
        let bytes = Array(utf8.prefix(37))
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { index in
            switch index {
            case 8, 13, 18, 23: bytes[index] == UInt8(ascii: "-")
            default: bytes[index].isHexadecimalDigit
            }
        }
    }

    /// Whether the text is three capital letters, as in ISO 3166-1 alpha-3.
    var isAlpha3Code: Bool {
        let bytes = utf8.prefix(4)
        return bytes.count == 3 && bytes.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
