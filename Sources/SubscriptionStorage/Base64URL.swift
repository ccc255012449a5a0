/// Base64 with the alphabet for URLs and without padding (RFC 4648, section 5), in its one spelling: what decodes is
/// encoded to the same text again.
enum Base64URL {
    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// In the values of characters that do not belong to the alphabet.
    private static let foreign: UInt32 = 1 << 31

    /// What each character stands for.
    private static let values: [UInt32] = {
        var values = [UInt32](repeating: foreign, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt32(value) }
        return values
    }()

    /// In the values of pairs with a character that does not belong to the alphabet.
    private static let foreignPair: UInt16 = 1 << 15

    /// What each pair of characters stands for, twelve bits; the first character is the lower half of the place.
    ///
    /// Of its 128 KB no more than 16 are ever looked at, and most of what is stored of an input was base64.
    private static let pairs: [UInt16] = {
        var pairs = [UInt16](repeating: foreignPair, count: 1 << 16)
        for (high, first) in characters.enumerated() {
            for (low, second) in characters.enumerated() {
                pairs[Int(second) << 8 | Int(first)] = UInt16(high << 6 | low)
            }
        }
        return pairs
    }()

    /// The text of bytes.
    static func encode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { output, count in
            bytes.withUnsafeBufferPointer { bytes in
                characters.withUnsafeBufferPointer { characters in
                    count = encode(bytes, into: output, characters)
                }
            }
        }
    }

    /// How many characters were written.
    private static func encode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>,
        _ characters: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var (place, count) = (0, 0)
        while place < bytes.count {
            // One byte makes two characters, two make three, three make four.
            let length = min(3, bytes.count &- place)
            var group = UInt32(bytes[place]) &<< 16
            if length > 1 { group |= UInt32(bytes[place &+ 1]) &<< 8 }
            if length > 2 { group |= UInt32(bytes[place &+ 2]) }
            output[count] = characters[Int(group &>> 18)]
            output[count &+ 1] = characters[Int(group &>> 12 & 0x3F)]
            if length > 1 { output[count &+ 2] = characters[Int(group &>> 6 & 0x3F)] }
            if length > 2 { output[count &+ 3] = characters[Int(group & 0x3F)] }
            place &+= length
            count &+= length &+ 1
        }
        return count
    }

    /// The bytes; nil for text that is not what ``encode(_:)`` makes of them.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var wrong: UInt32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { output, count in
            text.withUnsafeBufferPointer { text in
                values.withUnsafeBufferPointer { values in
                    (count, wrong) = decode(text, into: output, values)
                }
            }
        }
        return wrong == 0 ? bytes : nil
    }

    /// Decodes eight characters at a time for as long as so many are left.
    private static func decodeEights(
        of text: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int, place: Int, isForeign: Bool) {
        let (characters, bytes) = (UnsafeRawBufferPointer(text), UnsafeMutableRawBufferPointer(output))
        var (count, place) = (0, 0)
        var all: UInt64 = 0
        pairs.withUnsafeBufferPointer { pairs in
            // What is stored has two bytes more than eight characters are: the next ones, or the room at the end, take them.
            while place &+ 8 <= characters.count, count &+ 8 <= bytes.count {
                let eight = UInt64(littleEndian: characters.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                let first = UInt64(pairs[Int(eight & 0xFFFF)])
                let second = UInt64(pairs[Int(eight &>> 16 & 0xFFFF)])
                let third = UInt64(pairs[Int(eight &>> 32 & 0xFFFF)])
                let fourth = UInt64(pairs[Int(eight &>> 48)])
                all |= first | second | third | fourth
                let group = first &<< 36 | second &<< 24 | third &<< 12 | fourth
                bytes.storeBytes(of: (group &<< 16).bigEndian, toByteOffset: count, as: UInt64.self)
                place &+= 8
                count &+= 6
            }
        }
        return (count, place, all & UInt64(foreignPair) != 0)
    }

    /// How many bytes were written, and whether anything was wrong (other than zero).
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>,
        _ values: UnsafeBufferPointer<UInt32>
    ) -> (count: Int, wrong: UInt32) {
        var (count, place, isForeign) = decodeEights(of: text, into: output)
        var wrong: UInt32 = isForeign ? foreign : 0
        while place &+ 4 <= text.count {
            let upper = values[Int(text[place])] << 6 | values[Int(text[place &+ 1])]
            let lower = values[Int(text[place &+ 2])] << 6 | values[Int(text[place &+ 3])]
            // The mark of a foreign character is shifted out of the first of two.
            wrong |= values[Int(text[place])] | upper | values[Int(text[place &+ 2])] | lower
            output[count] = UInt8(truncatingIfNeeded: upper >> 4)
            output[count &+ 1] = UInt8(truncatingIfNeeded: upper << 4 | lower >> 8)
            output[count &+ 2] = UInt8(truncatingIfNeeded: lower)
            place &+= 4
            count &+= 3
        }
        wrong &= foreign
        let rest = text.count - place
        guard rest > 0 else { return (count, wrong) }
        let first = values[Int(text[place])]
        let second = values[Int(text[place + 1])]
        let third = rest == 3 ? values[Int(text[place + 2])] : 0
        wrong |= (first | second | third) & foreign
        output[count] = UInt8(truncatingIfNeeded: first << 2 | second >> 4)
        count += 1
        // What is left of the last character must be zero, or several texts would mean the same bytes.
        guard rest == 3 else { return (count, wrong | second & 0xF) }
        output[count] = UInt8(truncatingIfNeeded: second << 4 | third >> 2)
        return (count + 1, wrong | third & 0x3)
    }
}
