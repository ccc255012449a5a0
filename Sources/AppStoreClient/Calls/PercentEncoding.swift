import PerennialPrimitives

/// Percent-encodes text for URLs.
///
/// - Source: RFC 3986, section 2.
enum PercentEncoding {
    /// The text with everything except letters, digits and `-._~` encoded; safe in a path segment and in a query.
    static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), Hexadecimal.upperCaseDigit(byte >> 4), Hexadecimal.upperCaseDigit(byte)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A query with its question mark; empty if there are no items.
    static func query(_ items: [QueryItem]) -> String {
        guard !items.isEmpty else { return "" }
        return "?" + items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}

/// A query parameter with one value; a parameter may occur several times.
public struct QueryItem: Hashable, Sendable {
    /// The parameter.
    public let name: String
    /// Its value, not encoded.
    public let value: String

    /// Makes a query item.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// The parameter if there is a value; none for nil.
    static func items(_ name: String, _ value: String?) -> [QueryItem] {
        value.map { [QueryItem(name, $0)] } ?? []
    }
}
