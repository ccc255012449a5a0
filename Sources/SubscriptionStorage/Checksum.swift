/// A 64-bit checksum, the same in every process.
///
/// - Source: Fowler, Noll and Vo, FNV-1a, 64 bits.
package struct Checksum {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Starts an empty checksum.
    package init() {}

    /// The checksum of the bytes so far.
    package var value: Int64 { Int64(bitPattern: state) }

    /// Adds bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
}
