import AppStoreModel

/// Finds the signed text in what people have at hand: the text itself, or the JSON body that it came in.
enum SignedText {
    /// Where Apple's bodies carry one signed text; the first that is there counts.
    static let members = ["signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo"]

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// For looking: white space around the text is left out, and quotes around it are read as a JSON string.
    static func lenient(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        if rest.starts(with: byteOrderMark) { rest = rest.dropFirst(byteOrderMark.count) }
        rest = rest.drop(while: isWhiteSpace)
        while let last = rest.last, isWhiteSpace(last) { rest = rest.dropLast() }
        return insideJSON(Array(rest)) ?? Array(rest)
    }

    /// For judging: one line break at the end of a file is not part of the text, everything else is.
    static func exact(_ bytes: [UInt8]) -> [UInt8] {
        if let text = insideJSON(bytes) { return text }
        var rest = bytes[...]
        if rest.last == newline { rest = rest.dropLast() }
        if rest.count < bytes.count, rest.last == carriageReturn { rest = rest.dropLast() }
        return Array(rest)
    }

    /// What is to be said of JSON that has no signed text; `nil` for anything but JSON.
    static func absence(in bytes: [UInt8]) -> String? {
        guard (try? JSONParser.parse(bytes)) != nil, insideJSON(bytes) == nil else { return nil }
        return "This is JSON without a signed text: it has none of \(members.joined(separator: ", "))."
    }

    /// The signed text in a JSON object's member, or in a JSON string; `nil` for anything else.
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
