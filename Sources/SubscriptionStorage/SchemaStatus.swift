/// The schema status of a database: which migration steps were applied.
public struct SchemaStatus: Hashable, Sendable {
    /// A step.
    public struct Step: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// Whether it was applied.
        public let isApplied: Bool

        /// Makes a step.
        public init(name: String, isApplied: Bool) {
            self.name = name
            self.isApplied = isApplied
        }
    }

    /// Every step of this version, in order.
    public let steps: [Step]

    /// Makes a status.
    public init(steps: [Step]) {
        self.steps = steps
    }

    /// The name of a step with its number, which has at least four digits.
    package static func name(ofStep number: Int, _ name: String) -> String {
        String(repeating: "0", count: max(0, 4 - "\(number)".utf8.count)) + "\(number) \(name)"
    }

    /// The number of steps that are not applied yet.
    public var pending: Int { steps.count { !$0.isApplied } }
}
