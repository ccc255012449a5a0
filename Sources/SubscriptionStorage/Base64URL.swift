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

    static func encode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.endIndex)]
            var group: UInt32 = 0
            for byte in part { group = group << 8 | UInt32(byte) }
            group <<= UInt32(24 - 8 * part.count)
            for place in 0...part.count { text.append(characters[Int(group >> UInt32(18 - 6 * place) & 0x3F)]) }
        }
        return text
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

    /// How many bytes were written, and whether anything was wrong (other than zero).
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>,
        _ values: UnsafeBufferPointer<UInt32>
    ) -> (count: Int, wrong: UInt32) {
        var (count, place) = (0, 0)
        var wrong: UInt32 = 0
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
