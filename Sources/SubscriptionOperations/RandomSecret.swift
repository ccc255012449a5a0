/// Random bytes for keys, secrets and salts. They always come from the system, also in a simulation.
enum RandomSecret {
    /// Random bytes.
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
