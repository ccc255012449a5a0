#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        guard let end = bytes.firstIndex(of: Self.dot) else {
            header = nil
            remainder = bytes[...]
            return
        }
        header = bytes[..<end]
        if let short = Self.short(bytes[end...], after: bytes[..<end]),
            Self.joined(header: Array(bytes[..<end]), remainder: short) == bytes
        {
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
    private static func short(_ rest: ArraySlice<UInt8>, after header: ArraySlice<UInt8>) -> [UInt8]? {
        let body = rest.dropFirst()
        guard let end = body.firstIndex(of: dot), !header.isEmpty else { return nil }
        let signature = body[(end + 1)...]
        guard let signatureCount = UInt8(exactly: signature.count) else { return nil }
        guard let payload = Base64URL.decode(body[..<end]), !payload.contains(headerMark) else { return nil }
        var short: [UInt8] = [shortForm, signatureCount]
        short.reserveCapacity(payload.count + signature.count + 2)
        short += signature
        // A signed text inside is a string: its header follows a quotation mark.
        var rest = payload[...]
        while let place = rest.firstIndex(of: quote) {
            short += rest[...place]
            rest = rest[(place + 1)...]
            guard rest.starts(with: header) else { continue }
            short.append(headerMark)
            rest = rest.dropFirst(header.count)
        }
        short += rest
        return short
    }

    /// A number to find a header by; equal numbers do not mean equal bytes, which are compared as well.
    package static func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
        var checksum = Checksum()
        checksum.add(bytes)
        return checksum.value
    }
}

/// Base64 with the alphabet for URLs and without padding (RFC 4648, section 5), by the standard library's decoder.
private enum Base64URL {
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text = Array(Data(bytes).base64EncodedData())
        while text.last == UInt8(ascii: "=") { text.removeLast() }
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "+"): text[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): text[index] = UInt8(ascii: "_")
            default: break
            }
        }
        return text
    }

    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var standard = Array(text)
        for index in standard.indices {
            switch standard[index] {
            case UInt8(ascii: "-"): standard[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): standard[index] = UInt8(ascii: "/")
            default: break
            }
        }
        while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(standard)).map(Array.init)
    }
}

/// A 64-bit number for bytes, the same in every process.
///
/// - Source: Fowler, Noll and Vo, FNV-1a, 64 bits.
package struct Checksum {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Starts with no bytes.
    package init() {}

    /// The number for the bytes so far.
    package var value: Int64 { Int64(bitPattern: state) }

    /// Takes bytes in.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
}
