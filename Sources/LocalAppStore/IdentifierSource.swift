/// Generates identifiers that the ledger does not count: account identifiers, and UUIDs from a seed.
struct IdentifierSource: Sendable, Codable {
    private var accounts = 0
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(state: seed) }

    mutating func nextAccountId() -> String {
        accounts += 1
        return "account-\(accounts)"
    }

    /// A random UUID (version 4) in lower case.
    mutating func nextUUID() -> String {
        let high = generator.next() & 0xffff_ffff_ffff_0fff | 0x4000
        let low = generator.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        return Self.text(high, low)
    }

    /// 32 hexadecimal digits in lower case, in the groups of a UUID.
    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 36) { text in
            var position = 0
            for number in 0..<32 {
                if number % 4 == 0, (8...20).contains(number) {
                    text[position] = UInt8(ascii: "-")
                    position += 1
                }
                let digit = UInt8(truncatingIfNeeded: (number < 16 ? high : low) >> UInt64(60 - number % 16 * 4) & 0xf)
                text[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
                position += 1
            }
            return position
        }
    }

    /// The shared secret of a store with a seed, 32 hexadecimal digits in lower case; it does not advance a source.
    static func sharedSecret(seed: UInt64) -> String {
        // A different sequence than that of the identifiers.
        var generator = SplitMix64(state: ~seed)
        return hexadecimal(generator.next()) + hexadecimal(generator.next())
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Whether a text is a UUID in its usual form of 32 hexadecimal digits in five groups.
func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
        && groups.allSatisfy { $0.utf8.allSatisfy(isHexadecimalDigit) }
}

private func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}
