extension RandomNumberGenerator {
    /// A random element of the values, which must not be empty.
    package mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &self)]
    }
}
