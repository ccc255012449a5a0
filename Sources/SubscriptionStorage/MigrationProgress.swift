/// What a migration of the tables does. The engines report it while a database is opened.
public enum MigrationProgress: Hashable, Sendable {
    /// A schema step.
    public struct Step: Hashable, Sendable {
        /// Its one-based number.
        public let number: Int
        /// The number of steps of this version.
        public let count: Int
        /// Its name, as in ``SchemaStatus``.
        public let name: String

        /// Makes a step.
        public init(number: Int, count: Int, name: String) {
            self.number = number
            self.count = count
            self.name = name
        }
    }

    /// Receives the progress, on the thread that migrates.
    public typealias Observer = @Sendable (MigrationProgress) -> Void

    /// Another process migrates the database, and this one waits for it.
    case waiting
    /// This process migrates the database, in which `done` steps were applied before.
    ///
    /// PostgreSQL may report it again: the earlier steps of this process were then rolled back.
    case started(done: Int)
    /// A step begins.
    case began(Step)
    /// A step has ended. On PostgreSQL it counts once all steps have ended.
    case ended(Step, duration: Duration)
}
