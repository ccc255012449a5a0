import PerennialPrimitives

/// Names for new objects that nobody can guess.
package enum RandomName {
    /// 24 hexadecimal digits.
    package static func make() -> String {
        var generator = Bits()
        return (0..<12).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }

    /// The bits of ``ProcessSurroundings``.
    struct Bits: RandomNumberGenerator {
        private let bits = ProcessSurroundings.nameBits
        private var system = SystemRandomNumberGenerator()

        mutating func next() -> UInt64 { bits?.next() ?? system.next() }
    }
}
