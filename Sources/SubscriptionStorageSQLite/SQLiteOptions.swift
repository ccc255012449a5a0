/// The operator's choices for a database file.
public struct SQLiteOptions: Hashable, Sendable {
    /// How long a transaction waits for another process that holds the file.
    ///
    /// - Units: milliseconds.
    public var busyTimeoutMilliseconds: Int
    /// How many reads run at a time; each has a connection of its own.
    public var readersMax: Int
    /// The size beyond which the file does not grow; nil leaves that to the disk.
    ///
    /// A write that needs more is refused as on a full disk, and the database goes on working.
    ///
    /// - Units: bytes, rounded down to whole pages.
    public var fileBytesMax: Int64?
    /// Whether opening brings the tables up to date; otherwise it refuses tables that are not.
    public var migrates: Bool

    /// Makes options; the defaults fit a server that has the file for itself.
    public init(
        busyTimeoutMilliseconds: Int = 5_000,
        readersMax: Int = 4,
        fileBytesMax: Int64? = nil,
        migrates: Bool = true
    ) {
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        self.readersMax = readersMax
        self.fileBytesMax = fileBytesMax
        self.migrates = migrates
    }
}
