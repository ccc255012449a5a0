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
    }

    /// Each text as it is and without percent-encoding, and both as in a string of JSON.
    private static func forms(of texts: [Substring], bytesMin: Int) -> [[UInt8]] {
        texts.flatMap { [String($0), $0.removingPercentEncoding ?? ""] }
            .filter { $0.utf8.count >= bytesMin }
            .flatMap { text -> [String] in
                let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                // JSON may escape a slash too.
                return [text, quoted, text.replacing("/", with: "\\/"), quoted.replacing("/", with: "\\/")]
            }
            .map { Array($0.utf8) }
    }

    /// An answer's body with `…` in place of each of the texts, and of the beginning of one at the end of the body.
    func masked(in body: [UInt8]) -> [UInt8] {
        var masked: [UInt8] = []
        var index = body.startIndex
        while index < body.endIndex {
            let rest = body[index...]
            if let text = texts.first(where: { rest.starts(with: $0) }) {
                masked += Self.mask
                index += text.count
            } else if isCut(rest) {
                return masked + Self.mask
            } else {
                masked.append(body[index])
                index += 1
            }
        }
        return masked
    }

    /// Whether the end of a body is the beginning of one of the texts.
    private func isCut(_ rest: ArraySlice<UInt8>) -> Bool {
        guard rest.count >= Self.wholeBytesMin, rest.count < texts.first?.count ?? 0 else { return false }
        return texts.contains { $0.starts(with: rest) }
    }
}
