extension String {
    /// Whether the text is a UUID: 8, 4, 4, 4 and 12 hexadecimal digits of either case, with hyphens between them.
    ///
    /// - Source: RFC 9562, section 4.
    package var isUUID: Bool {
        guard utf8.count == 36 else { return false }
        return utf8.enumerated().allSatisfy { index, byte in
            switch index {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default: Hexadecimal.value(byte) != nil
            }
        }
    }

    /// The lower-case text of a UUID with these 128 bits, the higher half first.
    package init(uuid high: UInt64, _ low: UInt64) {
        self.init(unsafeUninitializedCapacity: 36) { text in
            var index = 0
            for number in 0..<32 {
                if number % 4 == 0, (8...20).contains(number) {
                    text[index] = UInt8(ascii: "-")
                    index += 1
                }
                let half = number < 16 ? high : low
                text[index] = Hexadecimal.digit(UInt8(truncatingIfNeeded: half >> UInt64(60 - number % 16 * 4)))
                index += 1
            }
            return index
        }
    }
}
