/// Walks through the attributes of a receipt or of a purchase in it.
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

    /// The next attribute, absent at the end.
    mutating func next() throws(BERError) -> Attribute? {
        guard !attributes.isAtEnd else { return nil }
        var sequence = try attributes.enter(BERTag.sequence)
        let attribute = Attribute(
            type: try sequence.integer(),
            version: try sequence.integer(),
            value: try sequence.octetString()
        )
        try sequence.expectEnd()
        return attribute
    }
}

extension ReceiptAttributeReader.Attribute {
    /// The attribute as it was sent.
    var raw: ReceiptAttribute {
        ReceiptAttribute(type: type, version: version, value: Array(value))
    }

    /// A value that is an INTEGER.
    func integer() throws(BERError) -> Int64 {
        try only { (reader) throws(BERError) in try reader.integer() }
    }

    /// A value that is a text.
    func text() throws(BERError) -> String {
        try only { (reader) throws(BERError) in try reader.text() }
    }

    /// A value that is a text, absent when the text is empty.
    func textIfAny() throws(BERError) -> String? {
        let text = try text()
        return text.isEmpty ? nil : text
    }

    /// A value that is a date, absent when its text is empty, which is how receipts write "none".
    func date() throws(BERError) -> Int64? {
        let text = try only { (reader) throws(BERError) -> ArraySlice<UInt8> in
            let element = try reader.next()
            guard [BERTag.ia5String, BERTag.utf8String].contains(element.tag) else { throw .malformed }
            return reader.content(of: element)
        }
        guard !text.isEmpty else { return nil }
        guard let date = ReceiptDate.milliseconds(text) else { throw .malformed }
        return date
    }

    /// A value that is an INTEGER with the meaning of yes or no.
    func flag() throws(BERError) -> Bool {
        try integer() != 0
    }

    /// Reads one element that fills the value.
    private func only<Value>(
        _ read: (inout BERReader) throws(BERError) -> Value
    ) throws(BERError) -> Value {
        var reader = BERReader(value)
        let result = try read(&reader)
        try reader.expectEnd()
        return result
    }
}
