import CBase64

extension Base64 {
    /// Encodes bytes; URL text is unpadded, standard text is padded.
    ///
    /// Inlined, so that each caller's kind of bytes is read in place.
    @inlinable
    package static func encode(_ bytes: some Collection<UInt8>, _ alphabet: Alphabet) -> [UInt8] {
        let encoded = bytes.withContiguousStorageIfAvailable { encode(buffer: $0, alphabet) }
        return encoded ?? Array(bytes).withUnsafeBufferPointer { encode(buffer: $0, alphabet) }
    }

    @usableFromInline
    static func encode(buffer: UnsafeBufferPointer<UInt8>, _ alphabet: Alphabet) -> [UInt8] {
        var text = encode(buffer, after: [], room: alphabet == .standard ? 2 : 0, alphabet)
        if alphabet == .standard {
            while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        }
        return text
    }

    /// Encodes bytes, without padding, at the end of a text.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8], _ alphabet: Alphabet) {
        text.append(contentsOf: encode(bytes, after: [], room: 0, alphabet))
    }

    /// Encodes bytes, without padding, behind a text, with room for so many more characters.
    package static func encode(_ bytes: [UInt8], after text: [UInt8], room: Int, _ alphabet: Alphabet) -> [UInt8] {
        bytes.withUnsafeBufferPointer { encode($0, after: text, room: room, alphabet) }
    }

    private static func encode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        after text: [UInt8],
        room: Int,
        _ alphabet: Alphabet
    ) -> [UInt8] {
        let pairs = alphabet == .url ? CharacterPairs.url : CharacterPairs.standard
        let capacity = text.count + (bytes.count + 2) / 3 * 4 + room
        return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            let output = UnsafeMutableRawBufferPointer(output)
            output.copyBytes(from: text)
            let rest = UnsafeMutableRawBufferPointer(rebasing: output[text.count...])
            pairs.withUnsafeBufferPointer { pairs in
                let taken = encodeGroups(bytes, into: rest, alphabet)
                let end = UnsafeMutableRawBufferPointer(rebasing: rest[(taken / 3 * 4)...])
                count = text.count + taken / 3 * 4
                count += encode(UnsafeBufferPointer(rebasing: bytes[taken...]), into: end, pairs)
            }
        }
    }

    /// Encodes as much of the beginning as the processor's vectors take; answers how many bytes that was.
    private static func encodeGroups(
        _ bytes: UnsafeBufferPointer<UInt8>,
        into text: UnsafeMutableRawBufferPointer,
        _ alphabet: Alphabet
    ) -> Int {
        base64_encode_groups(
            bytes.baseAddress,
            bytes.count,
            alphabet == .url ? Tables.urlEnd : Tables.standardEnd,
            text.baseAddress?.assumingMemoryBound(to: UInt8.self)
        )
    }

    /// Encodes bytes without padding; answers how many characters were written.
    private static func encode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        into text: UnsafeMutableRawBufferPointer,
        _ pairs: UnsafeBufferPointer<UInt16>
    ) -> Int {
        var source = 0
        var target = 0
        // Twelve bits at a time: three bytes become two pairs of characters.
        while source &+ 3 <= bytes.count {
            let group = UInt32(bytes[source]) << 16 | UInt32(bytes[source &+ 1]) << 8 | UInt32(bytes[source &+ 2])
            let four = UInt32(pairs[Int(group >> 12)]) << 16 | UInt32(pairs[Int(group & 0xFFF)])
            text.storeBytes(of: four.bigEndian, toByteOffset: target, as: UInt32.self)
            source &+= 3
            target &+= 4
        }
        let rest = bytes.count - source
        guard rest > 0 else { return target }
        let group = UInt32(bytes[source]) << 16 | (rest == 2 ? UInt32(bytes[source + 1]) << 8 : 0)
        text.storeBytes(of: pairs[Int(group >> 12)].bigEndian, toByteOffset: target, as: UInt16.self)
        guard rest == 2 else { return target + 2 }
        text[target + 2] = UInt8(pairs[Int(group & 0xFFF)] >> 8)
        return target + 3
    }

    /// The two characters of each twelve bits, the first one in the upper byte; built once.
    private enum CharacterPairs {
        static let standard = pairs(Alphabet.standard.characters)
        static let url = pairs(Alphabet.url.characters)

        private static func pairs(_ characters: [UInt8]) -> [UInt16] {
            (0..<4096).map { UInt16(characters[$0 >> 6]) << 8 | UInt16(characters[$0 & 63]) }
        }
    }
}

extension Base64.Alphabet {
    /// The characters of the values 0 to 63.
    var characters: [UInt8] {
        let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        return Array((common + (self == .url ? "-_" : "+/")).utf8)
    }
}
