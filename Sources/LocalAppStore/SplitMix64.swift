/// A small generator whose sequence depends on its seed alone: a counter in odd steps, mixed until no bit shows it.
struct SplitMix64: Hashable, Sendable, Codable {
    private var state: UInt64

    init(state: UInt64) { self.state = state }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Whether something of this probability happens.
    mutating func happens(_ probability: Double) -> Bool { unit() < probability }

    /// An instant between two, the later one left out; the earlier one where there is nothing between.
    mutating func instant(from start: Int64, to end: Int64) -> Int64 {
        end > start ? start + Int64(unit() * Double(end - start)) : start
    }

    /// One of several, each as likely as the other; `nil` where there is none.
    mutating func element<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(next() % UInt64(elements.count))]
    }
}
