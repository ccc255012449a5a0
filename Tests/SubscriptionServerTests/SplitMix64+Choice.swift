import PerennialPrimitives

extension SplitMix64 {
    /// A random element of the values.
    mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &self)]
    }
}
