import PerennialPrimitives

/// The bytes of a signed input as engines store them: in two parts that put together are the input again, whatever it
/// is.
///
/// The header of a JWS is mostly its certificates, and the same in almost every input: engines keep it once. A
/// notification holds two signed texts more, usually with the same header, in a payload that is base64 of base64. All
/// of that is stored decoded and compressed, with marks where the header stands. An input that would not come back byte
/// for byte from that form is stored as it is.
package struct SplitJWS {
    private static let dot = UInt8(ascii: ".")
    private static let quote = UInt8(ascii: "\"")

    /// The bytes of an ES256 signature.
    private static let signatureCount = 64

    /// Begins a remainder in the short form; one that is stored as it is begins with a dot where there is a header. The
    /// outer signature follows, then the payload with marks, compressed.
    private static let compressedForm: UInt8 = 0x03

    /// As ``compressedForm``, but not compressed: of payloads that compression does not make shorter, and in earlier
    /// files.
    private static let shortForm: UInt8 = 0x02

    /// Begins a remainder in the short form of earlier files: the signature's text behind its length, and a payload in
    /// which only headers are replaced.
    private static let earlierShortForm: UInt8 = 0x01

    /// Stands for the header in a decoded payload; no UTF-8 has this byte.
    private static let headerMark: UInt8 = 0xFF

    /// Stands for a whole signed text in a decoded payload, and is followed by the length of that text's payload (two
    /// bytes, the higher one first), that payload, decoded, and the signature; no UTF-8 has this byte either.
    private static let innerMark: UInt8 = 0xFE

    /// The part before the first dot; nil where there is no dot.
    package let header: ArraySlice<UInt8>?
    /// The rest.
    package let remainder: ArraySlice<UInt8>

    /// Splits an input.
    package init(_ bytes: [UInt8]) {
        header = Self.header(of: bytes)
        guard let header else {
            remainder = bytes[...]
            return
        }
        if let short = Self.short(bytes[(header.endIndex + 1)...], after: header) {
            remainder = short[...]
        } else {
            remainder = bytes[header.endIndex...]
        }
    }

    /// The part of an input before its first dot; nil where there is no dot.
    package static func header(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        bytes.withUnsafeBytes { $0.place(of: Self.dot) }.map { bytes[..<$0] }
    }

    /// The input again.
    package static func joined(header: [UInt8]?, remainder: [UInt8]) -> [UInt8] {
        guard let header else { return remainder }
        switch remainder.first {
        case compressedForm where remainder.count > signatureCount:
            guard let stored = PayloadCompression.payload(remainder[(1 + signatureCount)...]) else { break }
            let payload = payload(in: stored[...], marks: innerMark...headerMark, header: header)
            return text(header, payload[...], remainder[1...signatureCount])
        case shortForm where remainder.count > signatureCount:
            let payload = payload(in: remainder[(1 + signatureCount)...], marks: innerMark...headerMark, header: header)
            return text(header, payload[...], remainder[1...signatureCount])
        case earlierShortForm where remainder.count >= 2 && remainder.count >= 2 + Int(remainder[1]):
            let payloadStart = 2 + Int(remainder[1])
            let payload = payload(in: remainder[payloadStart...], marks: headerMark...headerMark, header: header)
            return header + [dot] + Base64.encode(payload, .url) + [dot] + remainder[2..<payloadStart]
        default: break
        }
        return header + remainder
    }

    /// The text of a JWS.
    private static func text(
        _ header: [UInt8],
        _ payload: ArraySlice<UInt8>,
        _ signature: ArraySlice<UInt8>
    ) -> [UInt8] {
        header + [dot] + Base64.encode(payload, .url) + [dot] + Base64.encode(signature, .url)
    }

    /// The payload that was stored with marks.
    private static func payload(
        in stored: ArraySlice<UInt8>,
        marks: ClosedRange<UInt8>,
        header: [UInt8]
    ) -> [UInt8] {
        var payload: [UInt8] = []
        var rest = stored
        while let mark = rest.firstIndex(where: marks.contains) {
            payload += rest[..<mark]
            let isInner = rest[mark] == innerMark
            rest = rest[(mark + 1)...]
            if isInner, let inner = inner(at: &rest) {
                payload += text(header, inner.payload, inner.signature)
            } else {
                payload += header
            }
        }
        return payload + rest
    }

    /// Takes what follows the mark of a signed text; nil where it is cut off.
    private static func inner(
        at rest: inout ArraySlice<UInt8>
    ) -> (payload: ArraySlice<UInt8>, signature: ArraySlice<UInt8>)? {
        let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        let payload = rest.dropFirst(2).prefix(length)
        let signature = rest.dropFirst(2 + length).prefix(signatureCount)
        guard signature.count == signatureCount else { return nil }
        rest = rest[signature.endIndex...]
        return (payload, signature)
    }

    /// The signature and the payload, both decoded; nil where the input has another form.
    ///
    /// It comes back byte for byte: the decoder takes one spelling only, and a mark stands only where the header's
    /// bytes are.
    private static func short(_ body: ArraySlice<UInt8>, after header: ArraySlice<UInt8>) -> [UInt8]? {
        guard !header.isEmpty, let (payload, signature) = decoded(body) else { return nil }
        guard let marked = marked(payload, header) else { return nil }
        if let compressed = PayloadCompression.compressed(marked[...]) {
            return [compressedForm] + signature + compressed
        }
        return [shortForm] + signature + marked
    }

    /// A payload with marks in place of the headers of the signed texts inside; nil where it has a mark's byte itself.
    private static func marked(_ payload: [UInt8], _ header: ArraySlice<UInt8>) -> [UInt8]? {
        payload.withUnsafeBytes { bytes in
            guard bytes.place(of: headerMark) == nil, bytes.place(of: innerMark) == nil else { return nil }
            var marked: [UInt8] = []
            marked.reserveCapacity(payload.count)
            var start = 0
            header.withUnsafeBytes { header in
                var next = 0
                // A signed text inside is a string: its header follows a quotation mark.
                while let quote = bytes.place(of: quote, from: next) {
                    next = quote + 1
                    guard bytes.holds(header, at: next) else { continue }
                    marked += payload[start..<next]
                    next += header.count
                    start = next
                    guard let end = bytes.place(of: Self.quote, from: next),
                        let inner = markedInner(payload[next..<end])
                    else {
                        marked.append(headerMark)
                        continue
                    }
                    marked += inner
                    start = end
                    next = end
                }
            }
            marked += payload[start...]
            return marked
        }
    }

    /// The marked form of a signed text inside, from the dot after its header; nil where it has another form.
    private static func markedInner(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.first == dot, let (payload, signature) = decoded(text.dropFirst()),
            let length = UInt16(exactly: payload.count)
        else { return nil }
        return [innerMark, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + payload + signature
    }

    /// What stands in base64 before and after the dot; nil unless it is a payload and an ES256 signature.
    private static func decoded(_ body: ArraySlice<UInt8>) -> (payload: [UInt8], signature: [UInt8])? {
        // The last one, which is near the end: a dot before it would be in the payload, and is no base64.
        guard let end = body.lastIndex(of: dot), let signature = Base64.decode(body[(end + 1)...], .url),
            signature.count == signatureCount, let payload = Base64.decode(body[..<end], .url)
        else { return nil }
        return (payload, signature)
    }

    /// A number to find a header by; equal numbers do not mean equal bytes, which are compared as well.
    package static func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
        var checksum = Checksum()
        checksum.add(bytes)
        return checksum.value
    }
}
