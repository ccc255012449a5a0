import AppStoreModel
import PerennialPrimitives

/// What a text that should be a receipt turns out to be.
///
/// Apps send receipts as base64, which arrives in more than one spelling: with line breaks, in the URL alphabet,
/// without padding, percent-encoded, with slashes escaped for JSON, or with blanks where a form decoder saw a plus
/// sign. All of these mean the same bytes, and a receipt's signature covers the bytes.
package enum ReceiptText: Hashable {
    /// Bytes that begin like a PKCS #7 container.
    case receipt([UInt8])
    /// The text of an old transaction receipt, a property list.
    case transactionReceipt([UInt8])
    /// A JSON object, which may have a receipt in a member of another name than its sender thinks.
    case json
    /// Nothing but blanks.
    case empty
    /// A JWS, which is what StoreKit 2 has in place of receipts.
    case jws
    /// Base64 of base64 of a receipt.
    case doublyEncoded
    /// Not base64.
    case notBase64
    /// Base64 of something else.
    case other

    /// Looks at a text.
    package init(_ text: String) {
        let bytes = Self.withoutWrapping(Array(text.utf8))
        if bytes.isEmpty {
            self = .empty
        } else if Self.isJWS(bytes) {
            self = .jws
        } else if bytes.first == UInt8(ascii: "{") {
            self = Self.inBraces(bytes)
        } else {
            self = Self.decoded(bytes)
        }
    }

    /// Looks at bytes that are a receipt, or a text that should be one.
    init(_ bytes: [UInt8]) {
        if bytes.first == BERTag.sequence, String(validating: bytes, as: UTF8.self) == nil {
            self = .receipt(bytes)
        } else {
            self.init(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The bytes of an app receipt in base64.
    ///
    /// - Throws: `receipt_malformed` when the text is something else, with what it is.
    static func receiptBytes(_ text: String) throws(VerificationFailure) -> [UInt8] {
        switch ReceiptText(text) {
        case .receipt(let bytes): return bytes
        case .transactionReceipt:
            throw .receiptMalformed("This is an old transaction receipt; only app receipts can be verified.")
        case .json:
            throw .receiptMalformed("This is JSON, not a receipt; send the text of the member that holds the receipt.")
        case .empty: throw .receiptMalformed("The receipt is empty; the app has none before it refreshes it.")
        case .jws: throw .receiptMalformed("This is a JWS of StoreKit 2; verify it as signed data, not as a receipt.")
        case .doublyEncoded: throw .receiptMalformed("The receipt is encoded in base64 twice; encode it once.")
        case .notBase64: throw .receiptMalformed("The receipt is not base64; send the receipt's file in base64.")
        case .other: throw .receiptMalformed("The base64 holds something else than a receipt.")
        }
    }
}

extension ReceiptText {
    private static func decoded(_ text: [UInt8]) -> ReceiptText {
        guard let (bytes, isWhole) = base64(text) else { return .notBase64 }
        if isJWS(bytes) {
            return .jws
        }
        if bytes.first == UInt8(ascii: "{") {
            return inBraces(bytes)
        }
        if isBase64OfReceipt(bytes) {
            return .doublyEncoded
        }
        if bytes.first == BERTag.sequence {
            return .receipt(bytes)
        }
        return isWhole ? .other : .notBase64
    }

    /// Property lists and JSON objects both stand in braces; none is both.
    private static func inBraces(_ text: [UInt8]) -> ReceiptText {
        (try? JSONParser.parseObject(text)) == nil ? .transactionReceipt(text) : .json
    }

    /// Without blanks and quotation marks around, and without the two lines that mark PEM.
    private static func withoutWrapping(_ text: [UInt8]) -> [UInt8] {
        var text = text
        if text.starts(with: "-----BEGIN ".utf8) {
            var lines = text.split(separator: UInt8(ascii: "\n"))[...]
            if lines.removeFirst().count <= pemLineBytesMax {
                while lines.last?.allSatisfy({ $0 <= UInt8(ascii: " ") }) == true { lines.removeLast() }
                if let last = lines.last, last.starts(with: "-----END ".utf8), last.count <= pemLineBytesMax {
                    lines.removeLast()
                }
                text = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
            }
        }
        let isWrapping = { (byte: UInt8) in byte <= UInt8(ascii: " ") || byte == UInt8(ascii: "\"") }
        guard
            let first = text.firstIndex(where: { !isWrapping($0) }),
            let last = text.lastIndex(where: { !isWrapping($0) })
        else { return [] }
        return Array(text[first...last])
    }

    /// The longest line of PEM, RFC 7468, with room to spare for a label.
    private static let pemLineBytesMax = 128

    /// Three segments with dots between, the first of which is base64 of a JSON object's beginning (`{"`).
    private static func isJWS(_ text: [UInt8]) -> Bool {
        text.starts(with: "eyJ".utf8) && text.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// Whether bytes are a text again, in base64, of a receipt or of what Apple's clients send beside receipts.
    private static func isBase64OfReceipt(_ bytes: [UInt8]) -> Bool {
        let isText = bytes.allSatisfy { $0 >= UInt8(ascii: " ") && $0 < 0x7F || $0 == 0x0A || $0 == 0x0D }
        guard isText, let (inner, _) = base64(withoutWrapping(bytes)) else { return false }
        return inner.first == BERTag.sequence || inner.first == UInt8(ascii: "{") || isJWS(inner)
    }
}

// MARK: - Base64

extension ReceiptText {
    /// Decodes base64 in any of the spellings.
    ///
    /// - Returns: The bytes, and whether the text was whole: what was cut off within a group of four characters decodes
    ///   up to there. `nil` when there are other characters than base64 has.
    static func base64(_ text: [UInt8]) -> (bytes: [UInt8], isWhole: Bool)? {
        // Nearly all come as they should.
        if let bytes = Base64.decode(text, .standard) { return (bytes, true) }
        guard let characters = Spelling.characters(text) else { return nil }
        guard characters.contains(Spelling.blank) else { return decode(characters) }
        // A blank was a plus sign, unless that makes no sense and a line break does.
        let asPlus = decode(characters.map { $0 == Spelling.blank ? UInt8(ascii: "-") : $0 })
        if let asPlus, asPlus.isWhole, isOneElement(asPlus.bytes) { return asPlus }
        let asBreak = decode(characters.filter { $0 != Spelling.blank })
        if let asBreak, asBreak.isWhole, isOneElement(asBreak.bytes) { return asBreak }
        return asPlus ?? asBreak
    }

    private static func isOneElement(_ bytes: [UInt8]) -> Bool {
        var reader = BERReader(bytes[...])
        return (try? reader.next()) != nil && reader.isAtEnd
    }

    private static func decode(_ characters: [UInt8]) -> (bytes: [UInt8], isWhole: Bool)? {
        if let bytes = Base64.decode(characters, .url) { return (bytes, true) }
        return Base64.decode(characters[..<(characters.count & ~3)], .url).map { ($0, false) }
    }
}

/// The spellings of base64.
private enum Spelling {
    /// Stands for a blank until it is known what it was.
    static let blank = UInt8(ascii: " ")

    /// The characters of base64, in the URL alphabet and without padding; `nil` when others are among them.
    static func characters(_ text: [UInt8]) -> [UInt8]? {
        var characters: [UInt8] = []
        characters.reserveCapacity(text.count)
        var hasEnded = false
        var index = 0
        while index < text.count {
            var character = text[index]
            index += 1
            if character == UInt8(ascii: "%") || character == UInt8(ascii: "\\") {
                guard let (unescaped, length) = unescape(text[index...], after: character) else { return nil }
                character = unescaped
                index += length
            }
            switch character {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
            case UInt8(ascii: "="): hasEnded = true
            case _ where hasEnded: return nil
            case UInt8(ascii: "+"): characters.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): characters.append(UInt8(ascii: "_"))
            default: characters.append(character)
            }
        }
        return characters
    }

    /// What an escape stands for, and how many characters it takes: `%2B` in forms, `\/` and `\n` in JSON.
    private static func unescape(_ rest: ArraySlice<UInt8>, after escape: UInt8) -> (UInt8, length: Int)? {
        if escape == UInt8(ascii: "%") {
            let digits = rest.prefix(2).compactMap(Hexadecimal.value)
            return digits.count == 2 ? (digits[0] << 4 | digits[1], 2) : nil
        }
        switch rest.first {
        case UInt8(ascii: "/"): return (UInt8(ascii: "/"), 1)
        case UInt8(ascii: "n"), UInt8(ascii: "r"): return (UInt8(ascii: "\n"), 1)
        default: return nil
        }
    }
}
