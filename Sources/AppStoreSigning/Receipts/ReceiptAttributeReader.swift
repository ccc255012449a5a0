/// Reads the attributes of a receipt or of a purchase in it.
///
/// `SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
struct ReceiptAttributeReader {
    /// One attribute.
    struct Attribute {
        let type: Int64
        let version: Int64
        let value: ArraySlice<UInt8>
    }

    private var attributes: BERReader

    /// Reads a SET that fills the bytes.
    init(_ bytes: ArraySlice<UInt8>) throws(BERError) {
        var outer = BERReader(bytes)
        attributes = try outer.enter(BERTag.set)
        try outer.expectEnd()
    }

    /// The next attribute; absent at the end.
    mutating func next() throws(BERError) -> Attribute? {
        attributes.isAtEnd ? nil : try attributes.attribute()
    }
}

extension ReceiptAttributeReader.Attribute {
    /// The attribute as it was sent.
    var raw: ReceiptAttribute {
        ReceiptAttribute(type: type, version: version, value: Array(value))
    }

    /// An INTEGER value.
    func integer() throws(BERError) -> Int64 {
        try BERReader.integer(BERReader.onlyElement(of: value), of: value)
    }

    /// A text value.
    func text() throws(BERError) -> String {
        try BERReader.text(BERReader.onlyElement(of: value), of: value)
    }

    /// A text value; absent if the text is empty.
    func textIfAny() throws(BERError) -> String? {
        let text = try text()
        return text.isEmpty ? nil : text
    }

    /// A date value; absent if its text is empty, which means "none" in receipts.
    func date() throws(BERError) -> Int64? {
        let element = try BERReader.onlyElement(of: value)
        guard element.tag == BERTag.ia5String || element.tag == BERTag.utf8String else { throw .malformed }
        guard !element.content.isEmpty else { return nil }
        guard let date = ReceiptDate.milliseconds(value[element.content]) else { throw .malformed }
        return date
    }

    /// An INTEGER value with a Boolean meaning.
    func flag() throws(BERError) -> Bool {
        try integer() != 0
    }
}
