import CBase64

/// Base64 on bytes, in both alphabets of RFC 4648; strict in what it accepts.
///
/// One input has one spelling: whitespace, foreign characters, missing or superfluous padding and unused bits that are
/// not zero are all refused, so that no two different texts decode to the same bytes.
package enum Base64 {
    /// Which 64 characters, and whether the end is padded.
    package enum Alphabet: Sendable {
        /// RFC 4648 section 4, padded: certificates in `x5c`, receipts.
        case standard
        /// RFC 4648 section 5, unpadded: the segments of a JWS.
        case url
    }

    /// Decodes canonical base64; `nil` when the text is not canonical.
    ///
    /// Inlined, so that each caller's kind of text is read in place.
    @inlinable
    package static func decode(_ text: some Collection<UInt8>, _ alphabet: Alphabet) -> [UInt8]? {
        let decoded = text.withContiguousStorageIfAvailable { decode(buffer: $0, alphabet) }
        return decoded ?? Array(text).withUnsafeBufferPointer { decode(buffer: $0, alphabet) }
    }

    @usableFromInline
    static func decode(buffer: UnsafeBufferPointer<UInt8>, _ alphabet: Alphabet) -> [UInt8]? {
        var count = buffer.count
        if alphabet == .standard {
            guard count % 4 == 0 else { return nil }
            var padding = 0
            while padding < min(2, count), buffer[count - 1] == UInt8(ascii: "=") {
                count -= 1
                padding += 1
            }
        }
        guard count % 4 != 1 else { return nil }
        var isValid = false
        let decoded = [UInt8](unsafeUninitializedCapacity: count / 4 * 3 + 8) { output, written in
            (written, isValid) = decode(
                UnsafeBufferPointer(rebasing: buffer[..<count]),
                into: UnsafeMutableRawBufferPointer(output),
                alphabet
            )
        }
        return isValid ? decoded : nil
    }

    /// Decodes unpadded text; answers how many bytes were written and whether the text was canonical.
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableRawBufferPointer,
        _ alphabet: Alphabet
    ) -> (written: Int, isValid: Bool) {
        (alphabet == .url ? Tables.url : Tables.standard).withUnsafeBufferPointer { table in
            let (taken, isKnown) = decodeGroups(text, into: output, alphabet)
            var source = taken
            var target = taken / 4 * 3
            var invalid = isKnown ? 0 : Tables.invalid
            let wholeGroupsEnd = text.count & ~3
            // Two groups at a time: eight characters become six bytes with one store (and two bytes of slack after).
            while source &+ 8 <= wholeGroupsEnd {
                let first = group(at: source, text, table)
                let second = group(at: source &+ 4, text, table)
                invalid |= first | second
                let six = UInt64(truncatingIfNeeded: first) << 40 | UInt64(truncatingIfNeeded: second & 0xFF_FFFF) << 16
                output.storeBytes(of: six.bigEndian, toByteOffset: target, as: UInt64.self)
                source &+= 8
                target &+= 6
            }
            if source < wholeGroupsEnd {
                let last = group(at: source, text, table)
                invalid |= last
                output.storeBytes(of: (last << 8).bigEndian, toByteOffset: target, as: UInt32.self)
                source &+= 4
                target &+= 3
            }
            let rest = text.count - source
            if rest > 0 {
                var group = table[Int(text[source])] | table[256 + Int(text[source + 1])]
                output[target] = UInt8(truncatingIfNeeded: group >> 16)
                target += 1
                if rest == 3 {
                    group |= table[512 + Int(text[source + 2])]
                    output[target] = UInt8(truncatingIfNeeded: group >> 8)
                    target += 1
                }
                // What is left of the last character must be zero, or several texts would mean the same bytes.
                let unused: UInt32 = rest == 2 ? 0xFFFF : 0xFF
                invalid |= group
                if group & unused != 0 { invalid |= Tables.invalid }
            }
            return (target, invalid & Tables.invalid == 0)
        }
    }
}

extension Base64 {
    /// Decodes as much of the beginning as the processor's vectors take; answers how many characters that was, and
    /// whether all of them belong to the alphabet.
    private static func decodeGroups(
        _ text: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableRawBufferPointer,
        _ alphabet: Alphabet
    ) -> (taken: Int, isKnown: Bool) {
        var isKnown: Int32 = 1
        let taken = base64_decode_groups(
            text.baseAddress,
            text.count,
            alphabet == .url ? Tables.urlEnd : Tables.standardEnd,
            output.baseAddress?.assumingMemoryBound(to: UInt8.self),
            output.count,
            &isKnown
        )
        return (taken, isKnown == 1)
    }

    /// The 24 bits of four characters, with the invalid bit set if one is foreign.
    @inline(__always)
    private static func group(
        at offset: Int,
        _ text: UnsafeBufferPointer<UInt8>,
        _ table: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        table[Int(text[offset])] | table[256 + Int(text[offset &+ 1])]
            | table[512 + Int(text[offset &+ 2])] | table[768 + Int(text[offset &+ 3])]
    }

    /// Lookup tables, built once.
    enum Tables {
        /// Set in a table's value for characters outside the alphabet; beyond the 24 bits of a group.
        static let invalid: UInt32 = 1 << 31

        static let standard = decodingTable(Alphabet.standard.characters)
        static let url = decodingTable(Alphabet.url.characters)

        /// The last two characters of each alphabet, which are all that differs.
        static let standardEnd = Alphabet.standard.characters.suffix(2).map { CChar($0) }
        static let urlEnd = Alphabet.url.characters.suffix(2).map { CChar($0) }

        /// Four tables of 256 in a row, one per position in a group, with the six bits already in place.
        private static func decodingTable(_ characters: [UInt8]) -> [UInt32] {
            var table = [UInt32](repeating: invalid, count: 4 * 256)
            for (value, character) in characters.enumerated() {
                for position in 0..<4 {
                    table[position * 256 + Int(character)] = UInt32(value) << UInt32(18 - 6 * position)
                }
            }
            return table
        }
    }
}
