/// A block of addresses with a common prefix, such as `10.0.0.0/8`.
public struct NetworkBlock: Hashable, Sendable {
    /// The first bytes of the addresses; missing ones are 0.
    let prefix: [UInt8]
    /// The length of the common prefix.
    let bits: Int
    /// The number of bytes of the addresses: 4 or 16.
    private let size: Int

    init(_ prefix: [UInt8], _ bits: Int, size: Int) {
        self.prefix = prefix
        self.bits = bits
        self.size = size
    }

    /// Reads an address, or a network in CIDR notation: `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`.
    ///
    /// - Returns: nil for any other text, and for a network of all addresses (`/0`).
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NetworkAddress(String(parts[0])) else { return nil }
        let plain = address.withoutMapping
        var bits = address.bytes.count * 8
        if parts.count == 2 {
            guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            guard let given = Int(parts[1]), given <= bits else { return nil }
            bits = given
        }
        // A mapped network is one of version 4.
        bits -= (address.bytes.count - plain.bytes.count) * 8
        guard bits > 0 else { return nil }
        self.init(plain.bytes, bits, size: plain.bytes.count)
    }

    /// Whether an address of the same version is in the block.
    func contains(_ address: NetworkAddress) -> Bool { contains(address.bytes) }

    func contains(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == size else { return false }
        for index in 0..<(bits + 7) / 8 {
            let rest = bits - 8 * index
            let mask: UInt8 = rest >= 8 ? 0xFF : 0xFF << UInt8(8 - rest)
            guard bytes[index] & mask == (prefix.indices.contains(index) ? prefix[index] : 0) & mask else {
                return false
            }
        }
        return true
    }

    static func four(_ prefix: [UInt8], _ bits: Int) -> NetworkBlock { NetworkBlock(prefix, bits, size: 4) }

    static func six(_ prefix: [UInt8], _ bits: Int) -> NetworkBlock { NetworkBlock(prefix, bits, size: 16) }
}
