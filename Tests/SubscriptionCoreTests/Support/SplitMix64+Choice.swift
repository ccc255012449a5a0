import PerennialPrimitives

extension SplitMix64 {
    /// One of the values.
    mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &self)]
    }

    /// True once in so many times.
    mutating func once(in times: Int) -> Bool {
        Int.random(in: 0..<times, using: &self) == 0
    }
}
