/// The hash FNV-1a of 64 bits, which is equal in every process, unlike Swift's own hash.
///
/// It shows damage, but is no protection against forgery. Files, databases and identifiers contain it, so its result
/// must not change.
///
/// - Source: Fowler, Noll and Vo, FNV-1a, 64 bits.
package struct FNV1a: Hashable, Sendable {
    @usableFromInline
    var state: UInt64

    /// Starts with no bytes.
    @inlinable
    package init() { state = 0xcbf2_9ce4_8422_2325 }

    /// Hashes bytes.
    @inlinable
    package init(of bytes: some Sequence<UInt8>) {
        self.init()
        add(bytes)
    }

    /// The hash of the bytes so far.
    @inlinable
    package var value: UInt64 { state }

    /// Adds bytes.
    @inlinable
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
}
