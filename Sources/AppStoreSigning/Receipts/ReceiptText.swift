import AppStoreModel
import PerennialPrimitives

/// The form of a text that should be a receipt.
///
/// Apps send receipts as base64, which arrives in several variants. It can have line breaks, the URL alphabet, no
/// padding, percent-encoding, slashes escaped for JSON, or blanks that a form decoder made from plus signs. All
/// variants mean the same bytes, and a receipt's signature covers the bytes.
package enum ReceiptText: Hashable {
    /// Bytes that start like a PKCS #7 container.
    case receipt([UInt8])
    /// The text of an old transaction receipt, a property list.
    case transactionReceipt([UInt8])
    /// A JSON object, which may contain a receipt under an unexpected name.
    case json
    /// Only blanks.
    case empty
    /// A JWS, which replaces receipts in StoreKit 2.
    case jws
    /// Base64 of base64 of a receipt.
    case doublyEncoded
    /// Not base64.
    case notBase64
    /// Base64 of other data.
    case other

    /// Determines the form of a text.
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

    /// Determines the form of bytes that are a receipt, or a text that should be one.
    init(_ bytes: [UInt8]) {
        if bytes.first == BERTag.sequence, String(validating: bytes, as: UTF8.self) == nil {
            self = .receipt(bytes)
        } else {
            self.init(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The bytes of an app receipt in base64.
    ///
    /// - Throws: `receipt_malformed` with the actual form, if the text is something else.
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
        case .other:
            throw .receiptMalformed(
                "The base64 contains data other than a receipt; send the receipt's bytes, unchanged."
            )
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

    /// Property lists and JSON objects both use braces, but no text is both.
    private static func inBraces(_ text: [UInt8]) -> ReceiptText {
        (try? JSONParser.parseObject(text)) == nil ? .transactionReceipt(text) : .json
    }

    /// Without surrounding blanks and quotation marks, and without the two marker lines of PEM.
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

    /// The maximum line length of PEM, RFC 7468, with a reserve for a label.
    private static let pemLineBytesMax = 128

    /// Three segments separated by dots, the first of which is base64 of the start of a JSON object (`{"`).
    private static func isJWS(_ text: [UInt8]) -> Bool {
        text.starts(with: "eyJ".utf8) && text.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// Whether bytes are again base64 text of a receipt, or of related data that Apple's clients send.
    private static func isBase64OfReceipt(_ bytes: [UInt8]) -> Bool {
        let isText = bytes.allSatisfy { $0 >= UInt8(ascii: " ") && $0 < 0x7F || $0 == 0x0A || $0 == 0x0D }
        guard isText, let (inner, _) = base64(withoutWrapping(bytes)) else { return false }
        return inner.first == BERTag.sequence || inner.first == UInt8(ascii: "{") || isJWS(inner)
    }
}

// MARK: - Base64

extension ReceiptText {
    /// Decodes base64 in any variant.
    ///
    /// - Returns: The bytes, and whether the text was complete: a truncated group of four characters is decoded
    ///   partially. `nil` if there are characters outside base64.
    static func base64(_ text: [UInt8]) -> (bytes: [UInt8], isWhole: Bool)? {
        // The common case.
        if let bytes = Base64.decode(text, .standard) { return (bytes, true) }
        guard let characters = Spelling.characters(text) else { return nil }
        guard characters.contains(Spelling.blank) else { return decode(characters) }
        // A blank was a plus sign, unless that is invalid and a line break is not.
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

/// The variants of base64.
private enum Spelling {
    /// Represents a blank until its meaning is known.
    static let blank = UInt8(ascii: " ")

    /// The base64 characters, in the URL alphabet and without padding; `nil` if there are others.
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

    /// The character of an escape, and its length: `%2B` in forms, `\/` and `\n` in JSON.
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
