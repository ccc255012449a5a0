/// Why bytes are not the expected ASN.1.
package enum BERError: Error, Hashable {
    /// The input ends before its outermost element does.
    case truncated
    /// A length, a tag or a value violates the encoding rules or the expectations.
    case malformed
    /// Elements are nested deeper than in any receipt.
    case tooDeep
}

/// One element of BER, as positions in its bytes.
package struct BERElement: Hashable {
    /// Class, form and number in one byte; multi-byte tags do not occur in receipts and are refused.
    package let tag: UInt8
    /// Header, content and the end marker of an indefinite length.
    package let encoded: Range<Int>
    /// The content alone.
    package let content: Range<Int>
    /// Whether an end marker ends the content, instead of a length.
    package let isIndefinite: Bool

    /// Whether the content consists of elements.
    package var isConstructed: Bool {
        tag & BERTag.constructed != 0
    }
}

/// The tags in receipts.
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

/// Reads BER (ITU-T X.690), which includes DER, without building a tree.
///
/// Receipts are DER from the App Store, and BER with indefinite lengths from Xcode. They are untrusted input, so
/// nothing is allocated per element, every length is checked against its container, and the depth is limited. Reading
/// takes time proportional to the size. (A parser with a node per element needs about a hundred bytes for every two
/// bytes of a hostile input. A test compares this one with SwiftASN1's.)
package struct BERReader {
    /// The maximum nesting; a receipt has seven levels.
    package static let depthMax = 16

    /// The input; positions are indices into it.
    package let bytes: ArraySlice<UInt8>
    private var position: Int
    private let end: Int
    private let depth: Int
    /// The error for an element that continues beyond the end.
    private let overrun: BERError

    /// Reads the elements of a complete input.
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

    /// Whether everything was read.
    package var isAtEnd: Bool {
        position >= end
    }

    /// The tag of the next element; absent at the end.
    var nextTag: UInt8? {
        isAtEnd ? nil : bytes[position]
    }

    /// Reads an element.
    package mutating func next() throws(BERError) -> BERElement {
        let element = try Self.element(of: bytes, at: position, before: end, depth: depth, overrun: overrun)
        position = element.encoded.upperBound
        return element
    }

    /// Reads an element with a required tag.
    mutating func next(_ tag: UInt8) throws(BERError) -> BERElement {
        // Checked before the length: other data is not truncated, but something else.
        if let nextTag, nextTag != tag { throw .malformed }
        return try next()
    }

    /// Reads an element if the next one has a tag.
    mutating func next(if tag: UInt8) throws(BERError) -> BERElement? {
        nextTag == tag ? try next() : nil
    }

    /// Refuses remaining bytes.
    func expectEnd() throws(BERError) {
        guard isAtEnd else { throw .malformed }
    }

    /// Enters a constructed element.
    package func contents(of element: BERElement) throws(BERError) -> BERReader {
        guard element.isConstructed else { throw .malformed }
        guard depth < Self.depthMax else { throw .tooDeep }
        return BERReader(bytes, element.content, depth: depth + 1, overrun: .malformed)
    }

    /// Reads an element with a required tag and enters it.
    mutating func enter(_ tag: UInt8) throws(BERError) -> BERReader {
        try contents(of: next(tag))
    }
}

// MARK: - Elements by position

// The bytes are passed along instead of stored in the reader of each element: a receipt has thousands of elements, and
// retaining an array costs more than reading one of them.
extension BERReader {
    /// The only element of bytes that it must fill.
    static func onlyElement(of bytes: ArraySlice<UInt8>) throws(BERError) -> BERElement {
        let element = try element(of: bytes, at: bytes.startIndex, before: bytes.endIndex, overrun: .malformed)
        guard element.encoded.upperBound == bytes.endIndex else { throw .malformed }
        return element
    }

    /// The element at a position.
    ///
    /// - Parameter overrun: The error for an element that continues beyond the limit.
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
        // Multi-byte tags, and the end marker, which is handled where it is allowed.
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
            // Four bytes can describe four gigabytes; longer forms are invalid or wasteful.
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

    /// The end of an element with indefinite length: two zeros instead of the next element.
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
