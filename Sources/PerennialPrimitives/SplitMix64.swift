/// A small seeded generator: the same seed gives the same numbers on every machine. Not for secrets.
///
/// The local store keeps its generators in its files: neither the sequence nor the coded form may change.
///
/// - Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable, Codable {
    @usableFromInline
    var state: UInt64

    /// Starts the sequence of a seed.
    @inlinable
    package init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    @inlinable
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// One of the elements; nil where there is none.
    @inlinable
    package mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(next() % UInt64(elements.count))]
    }
}
