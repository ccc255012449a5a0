import PerennialPrimitives

/// Names for new objects that nobody can guess.
package enum RandomName {
    /// 24 hexadecimal digits.
    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<12).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }
}
