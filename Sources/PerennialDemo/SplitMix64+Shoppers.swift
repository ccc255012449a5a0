import PerennialPrimitives

/// What the demo's shoppers draw from a generator.
extension SplitMix64 {
    /// A number in `0..<bound`; the bias of the remainder is far below what a demo can notice.
    mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(max(bound, 1)))
    }

    /// Whether something with this chance happens.
    mutating func chance(percent: Int) -> Bool {
        below(100) < percent
    }
}
