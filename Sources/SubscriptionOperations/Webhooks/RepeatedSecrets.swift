import Foundation

/// The texts of a request that may be secret, and that a receiver may repeat in its answer.
///
/// They are the path and the query of the address, the parts of both, and the value of `Authorization`. Short ones are
/// no secrets.
struct RepeatedSecrets: Sendable {
    private static let wholeBytesMin = 4
    /// For a segment of the path, or a value of the query: shorter ones are usual words.
    private static let partBytesMin = 6
    private static let mask = Array("…".utf8)

    /// Longest first: the whole is masked before its parts.
    private let texts: [[UInt8]]
    /// The bytes with which one of the texts may begin in an answer.
    private let firstBytes: Set<UInt8>

    /// Finds the texts of a request.
    init(of request: WebhookRequest) {
        var wholes: [Substring] = []
        var parts: [Substring] = []
        if let mark = request.url.firstRange(of: "://") {
            let rest = request.url[mark.upperBound...].drop { !"/?#\\".contains($0) }
            let path = rest.prefix { $0 != "?" }
            let query = rest[path.endIndex...].dropFirst()
            wholes += [rest, path, query]
            parts += path.split(separator: "/")
            for item in query.split(separator: "&") {
                parts.append(item.split(separator: "=", maxSplits: 1).last ?? item)
            }
        }
        for header in request.headers where header.name.lowercased() == "authorization" {
            wholes.append(header.value[...])
            parts += header.value.split(separator: " ").dropFirst()
        }
        let found =
            Self.forms(of: wholes, bytesMin: Self.wholeBytesMin) + Self.forms(of: parts, bytesMin: Self.partBytesMin)
        texts = Set(found).sorted { $0.count > $1.count }
        firstBytes = Set(texts.compactMap(\.first) + [UInt8(ascii: "\\")])
    }

    /// Each text as it is, and without percent-encoding.
    private static func forms(of texts: [Substring], bytesMin: Int) -> [[UInt8]] {
        texts.flatMap { [Array($0.utf8), Array(($0.removingPercentEncoding ?? "").utf8)] }
            .filter { $0.count >= bytesMin }
    }

    /// An answer's body with `…` in place of each of the texts, and of the beginning of one at the end of the body. A
    /// text may be escaped as in a string of JSON.
    func masked(in body: [UInt8]) -> [UInt8] {
        var masked: [UInt8] = []
        var index = body.startIndex
        while index < body.endIndex {
            let isPossible = firstBytes.contains(body[index])
            let found = isPossible ? texts.map { Self.match($0, at: index, in: body) } : []
            if let end = found.lazy.compactMap(\.end).first {
                masked += Self.mask
                index = end
            } else if found.contains(.cut) {
                return masked + Self.mask
            } else {
                masked.append(body[index])
                index += 1
            }
        }
        return masked
    }

    /// How a text compares with a body from an index on.
    private enum Match: Hashable {
        case different
        /// The text is there.
        case whole(end: Int)
        /// The body ends within the text.
        case cut

        var end: Int? { if case .whole(let end) = self { end } else { nil } }
    }

    private static func match(_ text: [UInt8], at start: Int, in body: [UInt8]) -> Match {
        var index = start
        for (count, byte) in text.enumerated() {
            guard index < body.endIndex else { return count >= wholeBytesMin ? .cut : .different }
            if let length = escapeLength(of: byte, at: index, in: body) {
                index += length
            } else if body[index] == byte {
                index += 1
            } else {
                return .different
            }
        }
        return .whole(end: index)
    }

    /// The length of a byte of ASCII that is escaped in JSON: `\/`, or `\u002f`; nil if it is not escaped there.
    private static func escapeLength(of byte: UInt8, at index: Int, in body: [UInt8]) -> Int? {
        guard byte < 0x80, body[index] == UInt8(ascii: "\\"), index + 1 < body.endIndex else { return nil }
        let next = body[index + 1]
        if next == byte, !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { return 2 }
        guard next == UInt8(ascii: "u"), index + 6 <= body.endIndex,
            let code = UInt16(String(decoding: body[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16),
            code == UInt16(byte)
        else { return nil }
        return 6
    }
}
