/// Why storage could not do what it was asked.
///
/// Equality is by ``code``; tests and callers compare codes, never text.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable reason.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The reason as it appears in answers and logs.
        public let rawValue: String
        /// Wraps a reason.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The database cannot be reached, or is closing. A retry helps.
        public static let unavailable = Code(rawValue: "storage_unavailable")
        /// The connection was lost while committing: nobody knows whether it was done. A retry helps where it does
        /// nothing twice.
        public static let commitUnknown = Code(rawValue: "storage_commit_unknown")
        /// Another process holds the database for too long. A retry helps.
        public static let busy = Code(rawValue: "storage_busy")
        /// No space is left. A retry helps once there is space.
        public static let full = Code(rawValue: "storage_full")
        /// The database may not be written. A retry helps once it may.
        public static let readOnly = Code(rawValue: "storage_read_only")
        /// The database file was removed or replaced while it was open.
        public static let fileReplaced = Code(rawValue: "storage_file_replaced")
        /// The file is no database, or a damaged one.
        public static let notADatabase = Code(rawValue: "storage_not_a_database")
        /// The database was written by a newer version of the program.
        public static let schemaTooNew = Code(rawValue: "storage_schema_too_new")
        /// The database was written before the first version, in a form that is no longer read.
        public static let schemaUnreleased = Code(rawValue: "storage_schema_unreleased")
        /// The database was written by an older version of the program, and may not be brought up to date.
        public static let schemaOutdated = Code(rawValue: "storage_schema_outdated")
        /// A statement took longer than it may. A retry may help.
        public static let timedOut = Code(rawValue: "storage_timed_out")
        /// A transaction needs more memory or locks than the database has. A retry may help.
        public static let exhausted = Code(rawValue: "storage_exhausted")
        /// The database is damaged: a stored value, or a page of its file, could not be read back.
        public static let corrupt = Code(rawValue: "storage_corrupt")
        /// The engine refused; a defect of the program.
        public static let failed = Code(rawValue: "storage_failed")
    }

    /// The stable reason.
    public let code: Code
    /// What went wrong and what to do, safe to show to anyone.
    public let message: String
    /// Whether the same call may succeed later.
    public let isRetryable: Bool
    /// What the engine said; for logs only.
    public let detail: String?

    /// Makes an error.
    public init(_ code: Code, _ message: String, isRetryable: Bool, detail: String? = nil) {
        self.code = code
        self.message = message
        self.isRetryable = isRetryable
        self.detail = detail
    }

    /// A database from before the first version.
    package static let schemaUnreleased = StorageError(
        .schemaUnreleased,
        "The database was written before the first version, in a form that is no longer read. Name a new one, or "
            + "read it with "
            + "the program that wrote it.",
        isRetryable: false
    )

    /// Whether the work itself may be the cause, so that other work can succeed meanwhile.
    ///
    /// Not so where the database is away, full or read-only: then nothing succeeds.
    public var mayConcernOneWork: Bool {
        switch code {
        case .failed, .corrupt, .timedOut, .busy, .exhausted: true
        default: false
        }
    }

    /// Compares codes.
    public static func == (left: StorageError, right: StorageError) -> Bool { left.code == right.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Code and message.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension StorageError {
    /// Tables of an older version where migrating is left to `perennial migrate`.
    public static let schemaOutdated = StorageError(
        .schemaOutdated,
        "The tables are not up to date, and this server may not change them. Run perennial migrate first.",
        isRetryable: false
    )
}
