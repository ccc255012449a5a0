import PerennialPrimitives

/// What customers draw from a generator. Their stories are kept in files: the arithmetic must not change.
extension SplitMix64 {
    /// A number from 0 up to, but not including, 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Whether something of this probability happens.
    mutating func happens(_ probability: Double) -> Bool { unit() < probability }

    /// An instant between two, the later one left out; the earlier one where there is nothing between.
    mutating func instant(from start: Int64, to end: Int64) -> Int64 {
        end > start ? start + Int64(unit() * Double(end - start)) : start
    }
}
