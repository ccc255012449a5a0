/// How large and how deeply nested a JSON text may be.
public struct JSONLimits: Hashable, Sendable {
    /// The deepest nesting that can be asked for: a parser that recurses must not be led off its stack.
    public static let depthCeiling = 512

    /// The usual limits: 64 levels, 8 MiB.
    public static let standard = JSONLimits()

    /// How many arrays and objects may be open at once.
    public let depthMax: Int
    /// How many bytes the text may have.
    public let bytesMax: Int

    /// Makes limits; a depth beyond ``depthCeiling`` is lowered to it.
    public init(depthMax: Int = 64, bytesMax: Int = 8 << 20) {
        self.depthMax = min(depthMax, Self.depthCeiling)
        self.bytesMax = bytesMax
    }
}
