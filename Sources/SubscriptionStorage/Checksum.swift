import PerennialPrimitives

/// A 64-bit checksum, the same in every process, as a number that databases can store.
package struct Checksum {
    private var hash = FNV1a()

    /// Starts an empty checksum.
    package init() {}

    /// The checksum of the bytes so far.
    package var value: Int64 { Int64(bitPattern: hash.value) }

    /// Adds bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        hash.add(bytes)
    }
}
