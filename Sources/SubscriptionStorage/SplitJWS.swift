/// The bytes of a signed input as engines store them: in two parts that put together are the input again, whatever it is.
///
/// The header of a JWS is mostly its certificates, and the same in almost every input: engines keep it once. A notification
/// holds two signed texts more, usually with the same header, in a payload that is base64 of base64: the rest of it is
/// stored decoded, with a mark where the header stands. An input that would not come back byte for byte from that form is
/// stored as it is.
package struct SplitJWS {
    private static let dot = UInt8(ascii: ".")
    private static let quote = UInt8(ascii: "\"")

    /// Begins a remainder in the short form; one that is stored as it is begins with a dot where there is a header.
    private static let shortForm: UInt8 = 0x01

    /// Stands for the header in a decoded payload; no UTF-8 has this byte.
    private static let headerMark: UInt8 = 0xFF

    /// The part before the first dot; nil where there is no dot.
    package let header: ArraySlice<UInt8>?
    /// The rest.
    package let remainder: ArraySlice<UInt8>

    /// Splits an input.
    package init(_ bytes: [UInt8]) {
        guard let end = bytes.withUnsafeBytes({ $0.place(of: Self.dot) }) else {
            header = nil
            remainder = bytes[...]
            return
        }
        header = bytes[..<end]
        if let short = Self.short(bytes[(end + 1)...], after: bytes[..<end]) {
            remainder = short[...]
        } else {
            remainder = bytes[end...]
        }
    }

    /// The input again.
    package static func joined(header: [UInt8]?, remainder: [UInt8]) -> [UInt8] {
        guard let header else { return remainder }
        guard remainder.first == shortForm, remainder.count >= 2 else { return header + remainder }
        let payloadStart = 2 + Int(remainder[1])
        guard payloadStart <= remainder.count else { return header + remainder }
        var payload: [UInt8] = []
        var rest = remainder[payloadStart...]
        while let mark = rest.firstIndex(of: headerMark) {
            payload += rest[..<mark]
            payload += header
            rest = rest[(mark + 1)...]
        }
        payload += rest
        return header + [dot] + Base64URL.encode(payload) + [dot] + remainder[2..<payloadStart]
    }

    /// The signature's text, by its length, and then the decoded payload; nil where the input has another form.
    ///
    /// It comes back byte for byte: the decoder takes one spelling only, and a mark stands only where the header's bytes are.
    private static func short(_ body: ArraySlice<UInt8>, after header: ArraySlice<UInt8>) -> [UInt8]? {
        // The last one, which is near the end: a dot before it would be in the payload, and is no base64.
        guard let end = body.lastIndex(of: dot), !header.isEmpty else { return nil }
        let signature = body[(end + 1)...]
        guard let signatureCount = UInt8(exactly: signature.count) else { return nil }
        guard let payload = Base64URL.decode(body[..<end]) else { return nil }
        return payload.withUnsafeBytes { payload in
            guard payload.place(of: headerMark) == nil else { return nil }
            var short: [UInt8] = [shortForm, signatureCount]
            short.reserveCapacity(payload.count + signature.count + 2)
            short += signature
            var start = 0
            header.withUnsafeBytes { header in
                var next = 0
                // A signed text inside is a string: its header follows a quotation mark.
                while let quote = payload.place(of: quote, from: next) {
                    next = quote + 1
                    guard payload.holds(header, at: next) else { continue }
                    short += payload[start..<next]
                    short.append(headerMark)
                    next += header.count
                    start = next
                }
            }
            short += payload[start...]
            return short
        }
    }

    /// A number to find a header by; equal numbers do not mean equal bytes, which are compared as well.
    package static func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
        var checksum = Checksum()
        checksum.add(bytes)
        return checksum.value
    }
}
