/// A small seeded generator: the same seed gives the same numbers on every machine.
///
/// Sebastiano Vigna's SplitMix64. Not for secrets. The store has one of its own, which is no part of its interface:
/// its state lies in the store's files, so it must not change when the demo's shoppers do.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in `0..<bound`; the bias of the remainder is far below what a demo can notice.
    mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(max(bound, 1)))
    }

    /// Whether something with this chance happens.
    mutating func chance(percent: Int) -> Bool {
        below(100) < percent
    }

    /// One of the elements.
    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }
}
