import PerennialPrimitives

extension SplitMix64 {
    /// Returns true with a probability of one in `times`.
    mutating func once(in times: Int) -> Bool {
        Int.random(in: 0..<times, using: &self) == 0
    }
}
