/// Decides when the log is copied into the database file, and on which thread.
///
/// SQLite before 3.51.3 can lose commits if a copy begins at the moment at which a commit begins the log anew. A commit
/// does so only if the whole log was copied. So the thread of the copies begins one only if the writer has added pages
/// to the log since the last copy ended. The copy that lets the log begin anew may run on the writer's thread, where no
/// commit runs at the same time.
///
/// - Source: SQLite, "Write-Ahead Logging", "The WAL-Reset Bug".
struct SQLiteCopyPlan {
    /// What to do before a write.
    enum Step: Hashable {
        /// Nothing.
        case none
        /// The thread of the copies begins one.
        case copy
        /// The writer copies the log after its transaction.
        case copyOnWriter
    }

    /// The number of pages that the writer adds to the log before it copies the rest itself.
    ///
    /// - Units: pages.
    static let logPagesMax: UInt32 = 8_000

    /// The number of pages that the writer adds to the log between two copies.
    static let interval: UInt32 = 1_000

    /// The writer's count when it last saw that no copy was running; nil after a copy, until the next write.
    private var copiedAt: UInt32?
    /// The writer's count when it last copied the whole log itself; nil before the first write.
    private var emptiedAt: UInt32?
    /// Whether the thread of the copies is copying.
    private var isRunning = false

    /// The next step, on the writer's thread.
    ///
    /// - Parameter written: The number of pages that the writer has written so far; it wraps.
    mutating func step(written: UInt32) -> Step {
        guard !isRunning else { return .none }
        guard let emptiedAt else {
            self.copiedAt = written
            self.emptiedAt = written
            return .none
        }
        if Self.pages(from: emptiedAt, to: written) >= Self.logPagesMax { return .copyOnWriter }
        guard let copiedAt else {
            self.copiedAt = written
            return .none
        }
        guard Self.pages(from: copiedAt, to: written) >= Self.interval else { return .none }
        isRunning = true
        return .copy
    }

    /// Notes the end of a copy on the thread of the copies.
    mutating func noteCopy() {
        isRunning = false
        copiedAt = nil
    }

    /// Whether the writer must copy the log now.
    func isWriterDue(written: UInt32) -> Bool {
        guard !isRunning, let emptiedAt else { return false }
        return Self.pages(from: emptiedAt, to: written) >= Self.logPagesMax
    }

    /// Notes the end of a copy on the writer's thread.
    ///
    /// - Parameter isWhole: Whether the whole log was copied. A reader of an old snapshot prevents that; then it is
    ///   repeated after half as many pages.
    mutating func noteCopyOnWriter(written: UInt32, isWhole: Bool) {
        copiedAt = written
        emptiedAt = isWhole ? written : written &- Self.logPagesMax / 2
    }

    /// The number of pages between two counts. SQLite's count has 31 bits.
    private static func pages(from start: UInt32, to end: UInt32) -> UInt32 { (end &- start) & 0x7FFF_FFFF }
}
