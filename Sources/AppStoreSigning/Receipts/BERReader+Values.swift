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

    /// Reads an INTEGER that fits 64 bits with sign.
    mutating func integer() throws(BERError) -> Int64 {
        let content = content(of: try next(BERTag.integer))
        guard let first = content.first, content.count <= 8 else { throw .malformed }
        var value: Int64 = first & 0x80 == 0 ? 0 : -1
        for byte in content {
            value = value << 8 | Int64(byte)
        }
        return value
    }

    /// Reads an OBJECT IDENTIFIER.
    mutating func objectIdentifier() throws(BERError) -> ASN1ObjectIdentifier {
        let element = try next(BERTag.objectIdentifier)
        guard let identifier = try? ASN1ObjectIdentifier(derEncoded: encoded(element)) else { throw .malformed }
        return identifier
    }

    /// Reads a text: a UTF8String, an IA5String or a PrintableString.
    mutating func text() throws(BERError) -> String {
        let element = try next()
        guard
            [BERTag.utf8String, BERTag.ia5String, BERTag.printableString].contains(element.tag),
            let text = String(validating: content(of: element), as: UTF8.self)
        else { throw .malformed }
        return text
    }

    /// Reads an OCTET STRING in one piece or, as BER allows and Xcode writes, in several.
    mutating func octetString() throws(BERError) -> ArraySlice<UInt8> {
        let element = try next()
        guard element.tag & ~BERTag.constructed == BERTag.octetString else { throw .malformed }
        guard element.isConstructed else { return content(of: element) }
        var pieces = try contents(of: element)
        var octets: [UInt8] = []
        while !pieces.isAtEnd {
            octets += try pieces.octetString()
        }
        return octets[...]
    }
}
