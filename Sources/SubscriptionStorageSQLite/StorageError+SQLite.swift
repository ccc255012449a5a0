import GRDB
import SubscriptionStorage

extension StorageError {
    /// Translates an error of the engine into a message with a remedy; a ``StorageError`` is returned unchanged.
    init(engine error: any Error) {
        switch error {
        case let error as StorageError: self = error
        case let error as DatabaseError: self.init(sqlite: error)
        case is CancellationError:
            self.init(.unavailable, "The request was cancelled before it was committed.", isRetryable: true)
        default:
            self.init(
                .failed,
                "The database rejected a statement. This is a defect of this program: report it with the log's detail.",
                isRetryable: false,
                detail: String(describing: error)
            )
        }
    }

    private init(sqlite error: DatabaseError) {
        // The description would repeat the statement; SQLite's message contains no stored values.
        let detail = "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "")"
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(
                .full,
                "The database is full: its disk, or database.sqlite.bytes_max. Free space, or raise the limit.",
                isRetryable: true,
                detail: detail
            )
        case .SQLITE_READONLY, .SQLITE_PERM:
            self.init(
                .readOnly,
                "The database may not be written. Make its file and folder writable.",
                isRetryable: true,
                detail: detail
            )
        case .SQLITE_CORRUPT:
            self.init(
                .corrupt,
                "The database file is damaged. Stop the server, keep the file, and restore a backup.",
                isRetryable: false,
                detail: detail
            )
        case .SQLITE_NOTADB:
            self.init(
                .notADatabase,
                "The file is not a database, or it is damaged. Name another file, or restore a backup.",
                isRetryable: false,
                detail: detail
            )
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .busy,
                "Another process has locked the database file. Retry; if it lasts, end that process.",
                isRetryable: true,
                detail: detail
            )
        case .SQLITE_CANTOPEN:
            self.init(
                .unavailable,
                """
                The database file cannot be opened. Check that it exists, its permissions, and the limit of \
                open files.
                """,
                isRetryable: true,
                detail: detail
            )
        case .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_NOLFS:
            self.init(
                .unavailable,
                "The disk or the system failed. Check the disk, its free space, and the system's log.",
                isRetryable: true,
                detail: detail
            )
        case .SQLITE_INTERRUPT, .SQLITE_ABORT:
            self.init(.unavailable, "The transaction was interrupted. Retry.", isRetryable: true, detail: detail)
        default:
            self.init(
                .failed,
                "The database rejected a statement. This is a defect of this program: report it with the log's detail.",
                isRetryable: false,
                detail: detail
            )
        }
    }
}
