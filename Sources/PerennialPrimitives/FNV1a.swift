/// The hash FNV-1a of 64 bits, which is equal in every process, unlike Swift's own hash.
///
/// It shows damage, but is no protection against forgery. Files, databases and identifiers contain it, so its result
/// must not change.
///
/// - Source: Fowler, Noll and Vo, FNV-1a, 64 bits.
package struct FNV1a: Hashable, Sendable {
    /// The hash of the bytes so far.
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Starts with no bytes.
    package init() {}

    /// Hashes bytes.
    package init(of bytes: some Sequence<UInt8>) {
        self.init()
        add(bytes)
    }

    /// Adds bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        // A generic loop that is called from another module is slow, and files have many bytes.
        let isAdded: Void? = bytes.withContiguousStorageIfAvailable { add(buffer: $0) }
        if isAdded == nil { Array(bytes).withUnsafeBufferPointer { add(buffer: $0) } }
    }

    private mutating func add(buffer: UnsafeBufferPointer<UInt8>) {
        for byte in buffer { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
}
