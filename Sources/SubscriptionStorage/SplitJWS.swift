import PerennialPrimitives

/// The stored form of a signed input: two parts from which the input is restored byte for byte.
///
/// The header of a JWS is mostly certificates and is the same in almost every input, so engines store it once. A
/// notification contains two more signed texts, usually with the same header, in nested base64. They are stored decoded
/// and compressed, with marks in place of the header. An input that cannot be restored byte for byte from that form is
/// stored unchanged.
package struct SplitJWS {
    private static let dot = UInt8(ascii: ".")
    private static let quote = UInt8(ascii: "\"")

    /// The bytes of an ES256 signature.
    private static let signatureCount = 64

    /// The first byte of a remainder in the compressed form. The outer signature follows, then the compressed payload
    /// with marks. The remainder of an unchanged input with a header begins with a dot.
    private static let compressedForm: UInt8 = 0x03

    /// Like ``compressedForm``, but not compressed: for payloads that compression does not shorten, and in earlier
    /// files.
    private static let shortForm: UInt8 = 0x02

    /// The first byte of the short form in earlier files: the length and text of the signature, then a payload in which
    /// only headers are replaced.
    private static let earlierShortForm: UInt8 = 0x01

    /// Replaces the header in a decoded payload. This byte does not occur in UTF-8.
    private static let headerMark: UInt8 = 0xFF

    /// Replaces a whole signed text in a decoded payload. The length of the text's payload (two bytes, big-endian),
    /// that payload, decoded, and the signature follow. This byte does not occur in UTF-8.
    private static let innerMark: UInt8 = 0xFE

    /// The part before the first dot; nil without a dot.
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

    /// The part of an input before its first dot; nil without a dot.
    package static func header(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        bytes.withUnsafeBytes { $0.offset(of: Self.dot) }.map { bytes[..<$0] }
    }

    /// Restores the input; nil if its compressed form is damaged.
    package static func joined(header: [UInt8]?, remainder: [UInt8]) -> [UInt8]? {
        guard let header else { return remainder }
        switch remainder.first {
        case compressedForm:
            guard remainder.count > signatureCount,
                let stored = PayloadCompression.payload(remainder[(1 + signatureCount)...])
            else { return nil }
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

    /// Restores a payload that was stored with marks.
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

    /// Reads the data after the mark of a signed text; nil if it is incomplete.
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

    /// The short form: signature and payload, both decoded; nil if the input has another form.
    ///
    /// It restores the input byte for byte: the decoder accepts only the canonical encoding, and a mark replaces only
    /// the exact bytes of the header.
    private static func short(_ body: ArraySlice<UInt8>, after header: ArraySlice<UInt8>) -> [UInt8]? {
        guard !header.isEmpty, let (payload, signature) = decoded(body) else { return nil }
        guard let marked = marked(payload, header) else { return nil }
        if let compressed = PayloadCompression.compressed(marked[...]) {
            return [compressedForm] + signature + compressed
        }
        return [shortForm] + signature + marked
    }

    /// A payload with marks in place of the headers of inner signed texts; nil if it contains the byte of a mark.
    private static func marked(_ payload: [UInt8], _ header: ArraySlice<UInt8>) -> [UInt8]? {
        payload.withUnsafeBytes { bytes in
            guard bytes.offset(of: headerMark) == nil, bytes.offset(of: innerMark) == nil else { return nil }
            var marked: [UInt8] = []
            marked.reserveCapacity(payload.count)
            var start = 0
            header.withUnsafeBytes { header in
                var next = 0
                // An inner signed text is a JSON string: its header follows a quotation mark.
                while let quote = bytes.offset(of: quote, from: next) {
                    next = quote + 1
                    guard bytes.hasBytes(header, at: next) else { continue }
                    marked += payload[start..<next]
                    next += header.count
                    start = next
                    guard let end = bytes.offset(of: Self.quote, from: next),
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

    /// The marked form of an inner signed text, from the dot after its header; nil if it has another form.
    private static func markedInner(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.first == dot, let (payload, signature) = decoded(text.dropFirst()),
            let length = UInt16(exactly: payload.count)
        else { return nil }
        return [innerMark, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + payload + signature
    }

    /// The decoded payload and ES256 signature before and after the dot; nil for anything else.
    private static func decoded(_ body: ArraySlice<UInt8>) -> (payload: [UInt8], signature: [UInt8])? {
        // The search for the last dot begins near the end. An earlier dot would be in the payload, which is then not
        // valid base64.
        guard let end = body.lastIndex(of: dot), let signature = Base64.decode(body[(end + 1)...], .url),
            signature.count == signatureCount, let payload = Base64.decode(body[..<end], .url)
        else { return nil }
        return (payload, signature)
    }

    /// A checksum for finding a header. Equal checksums do not imply equal bytes, so the bytes are compared as well.
    package static func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
        var checksum = Checksum()
        checksum.add(bytes)
        return checksum.value
    }
}
