import PerennialPrimitives

extension SplitMix64 {
    /// A random element.
    mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &self)]
    }

    /// Returns true with a probability of one in `times`.
    mutating func once(in times: Int) -> Bool {
        Int.random(in: 0..<times, using: &self) == 0
    }
}
