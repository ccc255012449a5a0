import AppStoreModel

/// Finds the signed text in typical inputs: the text itself, or its JSON body.
enum SignedText {
    /// The members of Apple's bodies with one signed text; the first one that exists is used.
    static let members = ["signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo"]

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// For the search: surrounding white space is removed, and surrounding quotes are parsed as a JSON string.
    static func lenient(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        if rest.starts(with: byteOrderMark) { rest = rest.dropFirst(byteOrderMark.count) }
        rest = rest.drop(while: isWhiteSpace)
        while let last = rest.last, isWhiteSpace(last) { rest = rest.dropLast() }
        return insideJSON(Array(rest)) ?? Array(rest)
    }

    /// For verification: one trailing line break of a file is not part of the text, everything else is.
    static func exact(_ bytes: [UInt8]) -> [UInt8] {
        if let text = insideJSON(bytes) { return text }
        var rest = bytes[...]
        if rest.last == newline { rest = rest.dropLast() }
        if rest.count < bytes.count, rest.last == carriageReturn { rest = rest.dropLast() }
        return Array(rest)
    }

    /// The message for JSON without a signed text; `nil` for anything other than JSON.
    static func absence(in bytes: [UInt8]) -> String? {
        guard (try? JSONParser.parse(bytes)) != nil, insideJSON(bytes) == nil else { return nil }
        return "This is JSON without a signed text: it has none of \(members.joined(separator: ", "))."
    }

    /// The signed text in a member of a JSON object, or in a JSON string; `nil` for anything else.
    private static func insideJSON(_ bytes: [UInt8]) -> [UInt8]? {
        guard let value = try? JSONParser.parse(bytes) else { return nil }
        switch value {
        case .string(let text):
            return Array(text.utf8)
        case .object(let object):
            return members.lazy.compactMap { object[$0]?.stringValue }.first.map { Array($0.utf8) }
        default:
            return nil
        }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == newline || byte == carriageReturn
    }
}
