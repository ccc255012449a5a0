import SwiftASN1

extension BERReader {
    /// The bytes of an element's content.
    func content(of element: BERElement) -> ArraySlice<UInt8> {
        bytes[element.content]
    }

    /// Header and content of an element.
    func encoded(_ element: BERElement) -> ArraySlice<UInt8> {
        bytes[element.encoded]
    }

    /// Reads a signed 64-bit INTEGER.
    mutating func integer() throws(BERError) -> Int64 {
        try Self.integer(try next(), of: bytes)
    }

    /// The value of a signed 64-bit INTEGER.
    static func integer(_ element: BERElement, of bytes: ArraySlice<UInt8>) throws(BERError) -> Int64 {
        guard element.tag == BERTag.integer, (1...8).contains(element.content.count) else { throw .malformed }
        var value: Int64 = bytes[element.content.lowerBound] & 0x80 == 0 ? 0 : -1
        for index in element.content {
            value = value << 8 | Int64(bytes[index])
        }
        return value
    }

    /// Reads an OBJECT IDENTIFIER.
    mutating func objectIdentifier() throws(BERError) -> ASN1ObjectIdentifier {
        let element = try next(BERTag.objectIdentifier)
        guard let identifier = try? ASN1ObjectIdentifier(derEncoded: encoded(element)) else { throw .malformed }
        return identifier
    }

    /// The value of a text: a UTF8String, an IA5String or a PrintableString.
    static func text(_ element: BERElement, of bytes: ArraySlice<UInt8>) throws(BERError) -> String {
        switch element.tag {
        case BERTag.utf8String, BERTag.ia5String, BERTag.printableString: break
        default: throw .malformed
        }
        guard let text = String(validating: bytes[element.content], as: UTF8.self) else { throw .malformed }
        return text
    }

    /// Reads an OCTET STRING in one part, or in several as BER allows and Xcode writes.
    mutating func octetString() throws(BERError) -> ArraySlice<UInt8> {
        try octets(of: try next())
    }

    /// The value of an OCTET STRING.
    private func octets(of element: BERElement) throws(BERError) -> ArraySlice<UInt8> {
        guard element.tag & ~BERTag.constructed == BERTag.octetString else { throw .malformed }
        guard element.isConstructed else { return content(of: element) }
        var pieces = try contents(of: element)
        var octets: [UInt8] = []
        while !pieces.isAtEnd {
            octets += try pieces.octetString()
        }
        return octets[...]
    }

    /// Reads an attribute of a receipt: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
    mutating func attribute() throws(BERError) -> ReceiptAttributeReader.Attribute {
        let parts = try next(BERTag.sequence).content
        let type = try Self.element(of: bytes, at: parts.lowerBound, before: parts.upperBound, overrun: .malformed)
        let version = try part(after: type, in: parts)
        let value = try part(after: version, in: parts)
        guard value.encoded.upperBound == parts.upperBound else { throw .malformed }
        return ReceiptAttributeReader.Attribute(
            type: try Self.integer(type, of: bytes),
            version: try Self.integer(version, of: bytes),
            value: try octets(of: value)
        )
    }

    private func part(after previous: BERElement, in parts: Range<Int>) throws(BERError) -> BERElement {
        try Self.element(of: bytes, at: previous.encoded.upperBound, before: parts.upperBound, overrun: .malformed)
    }
}
