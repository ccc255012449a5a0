extension Sequence<UInt8> {
    /// Compares with other bytes. The time depends on the number of bytes only.
    func equalsInConstantTime(_ other: some Sequence<UInt8>) -> Bool {
        let (mine, other) = (Array(self), Array(other))
        guard mine.count == other.count else { return false }
        return zip(mine, other).reduce(into: 0 as UInt8) { $0 |= $1.0 ^ $1.1 } == 0
    }
}
