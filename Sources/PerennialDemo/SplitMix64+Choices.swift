import PerennialPrimitives

/// The random choices of the demo's customers.
extension SplitMix64 {
    /// A number in `0..<bound`; the bias of the remainder is negligible for a demo.
    mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(max(bound, 1)))
    }

    /// Whether an event with this probability happens.
    mutating func chance(percent: Int) -> Bool {
        below(100) < percent
    }
}
