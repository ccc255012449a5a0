import PerennialPrimitives

/// The random choices of customers. Files contain their results: the arithmetic must not change.
extension SplitMix64 {
    /// A number from 0 up to, but not including, 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Whether an event with this probability happens.
    mutating func happens(_ probability: Double) -> Bool { unit() < probability }

    /// An integer from `start` up to, but not including, `end`; `start` if there is none.
    mutating func integer(from start: Int64, to end: Int64) -> Int64 {
        end > start ? start + Int64(unit() * Double(end - start)) : start
    }
}
