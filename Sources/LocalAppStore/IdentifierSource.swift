import PerennialPrimitives

/// Generates identifiers that the ledger does not count: account identifiers, and UUIDs from a seed.
struct IdentifierSource: Sendable, Codable {
    private var accounts = 0
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func nextAccountId() -> String {
        accounts += 1
        return "account-\(accounts)"
    }

    /// A random UUID (version 4) in lower case.
    mutating func nextUUID() -> String {
        let high = generator.next() & 0xffff_ffff_ffff_0fff | 0x4000
        let low = generator.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        return String(uuid: high, low)
    }

    /// The shared secret of a store with a seed, 32 hexadecimal digits in lower case; it does not advance a source.
    static func sharedSecret(seed: UInt64) -> String {
        // A different sequence than that of the identifiers.
        var generator = SplitMix64(seed: ~seed)
        return generator.next().hexadecimal + generator.next().hexadecimal
    }
}
