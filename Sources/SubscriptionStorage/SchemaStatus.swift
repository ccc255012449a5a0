/// How far the tables of a database are: which of the steps to the present version were done.
public struct SchemaStatus: Hashable, Sendable {
    /// A step.
    public struct Step: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// Whether it was done.
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

    /// How many steps are still to be done.
    public var pending: Int { steps.count { !$0.isApplied } }
}
