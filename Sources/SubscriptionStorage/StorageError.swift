/// A storage failure.
///
/// Equality is by ``code``; tests and callers compare codes, never text.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable reason.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The reason in responses and logs.
        public let rawValue: String
        /// Wraps a reason.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The database cannot be reached, or is closing. A retry helps.
        public static let unavailable = Code(rawValue: "storage_unavailable")
        /// The connection was lost during the commit, so the outcome is unknown. A retry helps if the operation is
        /// idempotent.
        public static let commitUnknown = Code(rawValue: "storage_commit_unknown")
        /// Another process locks the database for too long. A retry helps.
        public static let busy = Code(rawValue: "storage_busy")
        /// No space is left. A retry helps once there is space.
        public static let full = Code(rawValue: "storage_full")
        /// The database is read-only. A retry helps once it is writable.
        public static let readOnly = Code(rawValue: "storage_read_only")
        /// The database file was removed or replaced while it was open.
        public static let fileReplaced = Code(rawValue: "storage_file_replaced")
        /// The file is not a database, or it is damaged.
        public static let notADatabase = Code(rawValue: "storage_not_a_database")
        /// The database was written by a newer version of the program.
        public static let schemaTooNew = Code(rawValue: "storage_schema_too_new")
        /// The database was written before the first version, in an unsupported form.
        public static let schemaUnreleased = Code(rawValue: "storage_schema_unreleased")
        /// The database was written by an older version of the program, and migrating is not allowed.
        public static let schemaOutdated = Code(rawValue: "storage_schema_outdated")
        /// A statement exceeded its time limit. A retry may help.
        public static let timedOut = Code(rawValue: "storage_timed_out")
        /// A transaction needs more memory or locks than the database has. A retry may help.
        public static let exhausted = Code(rawValue: "storage_exhausted")
        /// The database is damaged: a stored value or a page of its file could not be read.
        public static let corrupt = Code(rawValue: "storage_corrupt")
        /// The engine refused the statement: a defect of the program.
        public static let failed = Code(rawValue: "storage_failed")
    }

    /// The stable reason.
    public let code: Code
    /// What went wrong and what to do, safe to show to anyone.
    public let message: String
    /// Whether the same call may succeed later.
    public let isRetryable: Bool
    /// The engine's message; for logs only.
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

    /// Whether the failed work itself may be the cause, so that other work can succeed.
    ///
    /// False if the database is unavailable, full or read-only: then no work succeeds.
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

    /// The detail of a defect or damage, which its report needs; nil for other errors.
    ///
    /// It is for the operator of the database: standard error of a command, or the log.
    package var detailToReport: String? {
        switch code {
        case .failed, .corrupt: detail
        default: nil
        }
    }

    /// Code and message, and ``detailToReport``.
    package var descriptionToReport: String { description + (detailToReport.map { " Detail: \($0)" } ?? "") }
}

extension StorageError {
    /// The tables have an older version, and only `perennial migrate` may migrate them.
    public static let schemaOutdated = StorageError(
        .schemaOutdated,
        "The tables are not up to date, and this server may not change them. Run perennial migrate first.",
        isRetryable: false
    )
}
