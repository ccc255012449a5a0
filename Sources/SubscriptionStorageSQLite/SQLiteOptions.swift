/// The options of a database file.
public struct SQLiteOptions: Hashable, Sendable {
    /// How long a transaction waits for another process that has locked the file.
    ///
    /// - Units: milliseconds.
    public var busyTimeoutMilliseconds: Int
    /// The maximum number of concurrent reads; each has its own connection.
    public var readersMax: Int
    /// Whether a read runs on the thread that asks for it, which is blocked meanwhile. It saves the change of threads
    /// where nothing else could run on that thread.
    public var readsOnCaller: Bool
    /// The maximum size of the file; nil for no limit.
    ///
    /// A write that needs more fails as on a full disk; the database stays usable.
    ///
    /// - Units: bytes, rounded down to whole pages.
    public var fileBytesMax: Int64?
    /// Whether opening migrates the tables; otherwise outdated tables are refused.
    public var migrates: Bool

    /// Makes options; the defaults suit a server that uses the file alone.
    public init(
        busyTimeoutMilliseconds: Int = 5_000,
        readersMax: Int = 4,
        readsOnCaller: Bool = false,
        fileBytesMax: Int64? = nil,
        migrates: Bool = true
    ) {
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        self.readersMax = readersMax
        self.readsOnCaller = readsOnCaller
        self.fileBytesMax = fileBytesMax
        self.migrates = migrates
    }
}
