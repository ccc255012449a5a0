/// Why bytes are not the ASN.1 that was expected.
package enum BERError: Error, Hashable {
    /// The input ends before its outermost element does.
    case truncated
    /// A length, a tag or a value contradicts the encoding rules or what is expected here.
    case malformed
    /// Elements are nested deeper than any receipt.
    case tooDeep
}

/// One element of BER, as places in the bytes it was read from.
package struct BERElement: Hashable {
    /// Class, form and number in one byte; tags of several bytes occur nowhere in receipts and are refused.
    package let tag: UInt8
    /// Header, content and the end marker of an indefinite length.
    package let encoded: Range<Int>
    /// The content alone.
    package let content: Range<Int>
    /// Whether an end marker says where the content ends, instead of a length.
    package let isIndefinite: Bool

    /// Whether the content is elements.
    package var isConstructed: Bool {
        tag & BERTag.constructed != 0
    }
}

/// The tags that occur in receipts.
package enum BERTag {
    /// INTEGER.
    package static let integer: UInt8 = 0x02
    /// OCTET STRING.
    package static let octetString: UInt8 = 0x04
    /// OBJECT IDENTIFIER.
    package static let objectIdentifier: UInt8 = 0x06
    /// UTF8String.
    package static let utf8String: UInt8 = 0x0C
    /// PrintableString.
    package static let printableString: UInt8 = 0x13
    /// IA5String.
    package static let ia5String: UInt8 = 0x16
    /// SEQUENCE.
    package static let sequence: UInt8 = 0x30
    /// SET.
    package static let set: UInt8 = 0x31
    /// `[0]`, primitive: a subject key identifier.
    package static let context0: UInt8 = 0x80
    /// `[0]`, constructed: content, certificates, signed attributes.
    package static let context0Constructed: UInt8 = 0xA0
    /// `[1]`, constructed: revocation lists, unsigned attributes.
    package static let context1Constructed: UInt8 = 0xA1
    /// The bit of constructed elements.
    package static let constructed: UInt8 = 0x20
}

/// Walks through BER (ITU-T X.690), of which DER is a part, without building a tree.
///
/// Receipts are DER when the App Store makes them and BER with indefinite lengths when Xcode does. Strangers send
/// them, so nothing is allocated for an element, every length is held against what contains it, and depth is bounded;
/// reading all of an input takes time in proportion to its size. (A parser that makes a node per element needs some
/// hundred bytes for every two of a hostile input. A test compares this one with SwiftASN1's.)
package struct BERReader {
    /// The deepest nesting that is followed; a receipt has seven levels.
    package static let depthMax = 16

    /// What is read; places are indices into it.
    package let bytes: ArraySlice<UInt8>
    private var position: Int
    private let end: Int
    private let depth: Int
    /// What it means when an element goes on beyond the end.
    private let overrun: BERError

    /// Reads the elements of an input that stands alone.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.init(bytes, bytes.startIndex..<bytes.endIndex, depth: 0, overrun: .truncated)
    }

    private init(_ bytes: ArraySlice<UInt8>, _ range: Range<Int>, depth: Int, overrun: BERError) {
        self.bytes = bytes
        self.position = range.lowerBound
        self.end = range.upperBound
        self.depth = depth
        self.overrun = overrun
    }

    /// Whether nothing is left.
    package var isAtEnd: Bool {
        position >= end
    }

    /// The tag of the next element, absent at the end.
    var nextTag: UInt8? {
        isAtEnd ? nil : bytes[position]
    }

    /// Reads an element.
    package mutating func next() throws(BERError) -> BERElement {
        let element = try Self.element(of: bytes, at: position, before: end, depth: depth, overrun: overrun)
        position = element.encoded.upperBound
        return element
    }

    /// Reads an element that must have a tag.
    mutating func next(_ tag: UInt8) throws(BERError) -> BERElement {
        // Before the length is believed: what begins otherwise is not cut off, it is something else.
        if let nextTag, nextTag != tag { throw .malformed }
        return try next()
    }

    /// Reads an element if the next one has a tag.
    mutating func next(if tag: UInt8) throws(BERError) -> BERElement? {
        nextTag == tag ? try next() : nil
    }

    /// Refuses anything that is left.
    func expectEnd() throws(BERError) {
        guard isAtEnd else { throw .malformed }
    }

    /// Goes into a constructed element.
    package func contents(of element: BERElement) throws(BERError) -> BERReader {
        guard element.isConstructed else { throw .malformed }
        guard depth < Self.depthMax else { throw .tooDeep }
        return BERReader(bytes, element.content, depth: depth + 1, overrun: .malformed)
    }

    /// Reads an element that must have a tag and goes into it.
    mutating func enter(_ tag: UInt8) throws(BERError) -> BERReader {
        try contents(of: next(tag))
    }
}

// MARK: - Elements by place

// The bytes are passed along rather than kept by a reader of each element: a receipt has thousands of elements, and
// keeping an array costs more than reading one of them.
extension BERReader {
    /// The only element of bytes that it must fill.
    static func onlyElement(of bytes: ArraySlice<UInt8>) throws(BERError) -> BERElement {
        let element = try element(of: bytes, at: bytes.startIndex, before: bytes.endIndex, overrun: .malformed)
        guard element.encoded.upperBound == bytes.endIndex else { throw .malformed }
        return element
    }

    /// The element that begins at a place.
    ///
    /// - Parameter overrun: What it means when the element goes on beyond the limit.
    static func element(
        of bytes: ArraySlice<UInt8>,
        at start: Int,
        before limit: Int,
        depth: Int = 0,
        overrun: BERError
    ) throws(BERError) -> BERElement {
        guard depth <= Self.depthMax else { throw .tooDeep }
        guard limit - start >= 2 else { throw overrun }
        let tag = bytes[start]
        // Tags of several bytes and the end marker, which is looked for where it may stand.
        guard tag & 0x1F != 0x1F, tag & ~BERTag.constructed != 0 else { throw .malformed }
        let first = bytes[start + 1]
        var contentStart = start + 2
        if first == 0x80 {
            let end = try endMarker(of: bytes, at: start, before: limit, depth: depth, overrun: overrun)
            return BERElement(tag: tag, encoded: start..<end + 2, content: contentStart..<end, isIndefinite: true)
        }
        var length = Int(first)
        if first > 0x80 {
            let lengthBytes = Int(first & 0x7F)
            // Four bytes count four gigabytes; longer forms can only be lies or waste.
            guard lengthBytes <= 4 else { throw .malformed }
            guard limit - contentStart >= lengthBytes else { throw overrun }
            length = 0
            for index in contentStart..<contentStart + lengthBytes {
                length = length << 8 | Int(bytes[index])
            }
            contentStart += lengthBytes
        }
        guard length <= limit - contentStart else { throw overrun }
        let end = contentStart + length
        return BERElement(tag: tag, encoded: start..<end, content: contentStart..<end, isIndefinite: false)
    }

    /// Where the content of an element of indefinite length ends: two zeros in place of the next element.
    private static func endMarker(
        of bytes: ArraySlice<UInt8>,
        at start: Int,
        before limit: Int,
        depth: Int,
        overrun: BERError
    ) throws(BERError) -> Int {
        guard bytes[start] & BERTag.constructed != 0 else { throw .malformed }
        var cursor = start + 2
        while true {
            guard limit - cursor >= 2 else { throw overrun }
            if bytes[cursor] == 0, bytes[cursor + 1] == 0 { return cursor }
            cursor = try element(of: bytes, at: cursor, before: limit, depth: depth + 1, overrun: overrun)
                .encoded.upperBound
        }
    }
}
