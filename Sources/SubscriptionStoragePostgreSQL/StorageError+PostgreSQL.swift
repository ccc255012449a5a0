#if PostgreSQL
    public import SubscriptionStorage

    extension StorageError.Code {
        /// The server refuses the user, or the user lacks a privilege.
        public static let accessDenied = StorageError.Code(rawValue: "storage_access_denied")
        /// The database, the schema or the tables do not exist.
        public static let notFound = StorageError.Code(rawValue: "storage_not_found")
        /// The server's version is too old, or the encoding of its database is not supported.
        public static let serverUnsuitable = StorageError.Code(rawValue: "storage_server_unsuitable")
        /// The address of the database is malformed.
        public static let addressMalformed = StorageError.Code(rawValue: "storage_address_malformed")
    }

    /// An error of the engine, and the automatic recovery from it.
    struct PostgreSQLFailure: Error {
        enum Recovery {
            /// Nothing.
            case none
            /// Run the transaction again: it conflicted with another one.
            case runAgain
            /// Connect again, then run the transaction again: nothing of it was committed.
            case connectAgain
            /// Connect again, but do not repeat the transaction: it may have been committed.
            case connectOnly
        }

        let error: StorageError
        let recovery: Recovery
    }

    extension PostgreSQLFailure {
        /// Translates an error of the server.
        ///
        /// - Parameters:
        ///   - state: The five characters of SQLSTATE.
        ///   - detail: The server's message, without stored values.
        /// - Source: PostgreSQL, "Appendix A. PostgreSQL Error Codes".
        init(state: String, detail: String) {
            let (code, message, isRetryable, recovery) = Self.meaning(of: state)
            error = StorageError(code, message, isRetryable: isRetryable, detail: "PostgreSQL \(state): \(detail)")
            self.recovery = recovery
        }

        /// The connection is lost.
        static func lost(_ detail: String) -> PostgreSQLFailure {
            PostgreSQLFailure(
                error: StorageError(
                    .unavailable,
                    "The database server does not answer. Check that it runs and can be reached; retry.",
                    isRetryable: true,
                    detail: detail
                ),
                recovery: .connectAgain
            )
        }

        /// A failed connection without an error code of the server: libpq detected the failure.
        ///
        /// - Parameter text: libpq's message. Known failures are recognized by fixed parts of it; the rest is for logs.
        static func notConnected(_ text: String) -> PostgreSQLFailure {
            if let option = refusedOption(text) { return .optionRefused(option) }
            let (code, message): (StorageError.Code, String) =
                if text.contains("no password supplied") {
                    (
                        .accessDenied,
                        "The database server asks for a password. Set it in PGPASSWORD, in ~/.pgpass or in the address."
                    )
                } else if text.contains("does not support SSL") {
                    (
                        .serverUnsuitable,
                        """
                        The database server offers no TLS, and sslmode requires it. Turn TLS on there, or \
                        choose another sslmode.
                        """
                    )
                } else if text.contains("SSL") || text.contains("certificate") {
                    (
                        .serverUnsuitable,
                        """
                        TLS with the database server failed. Check sslmode, sslrootcert and the name in its \
                        certificate.
                        """
                    )
                } else if text.contains("could not translate host name") {
                    (.unavailable, "The name of the database host has no address. Check the name, and DNS; retry.")
                } else if text.contains("Connection refused") || text.contains("No such file or directory") {
                    (.unavailable, "No database server listens there. Check host and port, and that it runs; retry.")
                } else {
                    (
                        .unavailable,
                        "The database server does not answer. Check that it runs and can be reached; retry."
                    )
                }
            let error = StorageError(code, message, isRetryable: true, detail: text)
            return PostgreSQLFailure(error: error, recovery: .connectAgain)
        }

        /// The option of the address with an invalid value; nil for other failures.
        ///
        /// - Parameter text: libpq's message: `invalid sslmode value: "…"`, `invalid port number: "…"`, or, if detected
        ///   later, `… invalid integer value "…" for connection option "keepalives"`.
        private static func refusedOption(_ text: String) -> String? {
            if let named = text.firstRange(of: "for connection option \"") {
                return String(text[named.upperBound...].prefix { $0 != "\"" })
            }
            guard text.hasPrefix("invalid ") else { return nil }
            return text.split(separator: " ", maxSplits: 2).dropFirst().first.map(String.init)
        }

        /// The message does not contain the value.
        private static func optionRefused(_ option: String) -> PostgreSQLFailure {
            PostgreSQLFailure(
                error: StorageError(
                    .addressMalformed,
                    "The address of the database gives \(option) a value that does not exist. Correct it there.",
                    isRetryable: false
                ),
                recovery: .none
            )
        }

        /// The connection was lost during a commit, so the outcome is unknown.
        func inDoubt() -> PostgreSQLFailure {
            guard recovery == .connectAgain, error.code == .unavailable else { return self }
            return PostgreSQLFailure(
                error: StorageError(
                    .commitUnknown,
                    "The connection was lost while committing, so it is unknown whether that was done. Retry.",
                    isRetryable: true,
                    detail: error.detail
                ),
                recovery: .connectOnly
            )
        }

        private typealias Meaning = (
            code: StorageError.Code, message: String, isRetryable: Bool, recovery: Recovery
        )

        private static func meaning(of state: String) -> Meaning {
            switch state {
            case "40001", "40P01":
                return (.busy, "Too many transactions change the same data. Retry.", true, .runAgain)
            case "55P03":
                return (.busy, "Another transaction held a lock for too long. Retry.", true, .none)
            case "57014":
                return (
                    .timedOut,
                    """
                    A statement took longer than database.postgresql.statement_timeout_ms. Retry when the \
                    database is less busy.
                    """,
                    true,
                    .none
                )
            case "53200":
                return (
                    .exhausted,
                    """
                    The database server lacks memory or locks for a transaction. Raise \
                    max_locks_per_transaction; retry.
                    """,
                    true, .none
                )
            case "25006":
                return (
                    .readOnly,
                    """
                    The database server is read-only, such as a standby. Name the primary, or all hosts, in the \
                    address.
                    """,
                    true, .connectAgain
                )
            case "53100":
                return (.full, "The disk of the database server is full. Free some space there.", true, .none)
            case "28000", "28P01":
                return (.accessDenied, "The database server refuses the user. Check user and password.", true, .none)
            case "42501":
                return (
                    .accessDenied,
                    """
                    The database user may not do that. GRANT it the right to make, read and write tables in the \
                    schema.
                    """,
                    true, .none
                )
            case "3D000":
                return (.notFound, "The database server has no such database. Create it, or name another.", true, .none)
            case "3F000":
                return (.notFound, "The database has no such schema. Create it, or name another.", true, .none)
            case "XX001", "XX002":
                return (.notADatabase, "The database is damaged. Restore it from a backup.", false, .none)
            default:
                return meaning(ofClass: state.prefix(2))
            }
        }

        private static func meaning(ofClass errorClass: Substring) -> Meaning {
            switch errorClass {
            case "08", "57":
                return (.unavailable, "The database server is stopping, or was lost. Retry.", true, .connectAgain)
            case "53":
                return (
                    .unavailable, "The database server lacks connections or memory. Give it more; retry.", true, .none
                )
            case "58":
                return (.unavailable, "The database server's disk or system failed. Read its log.", true, .none)
            default:
                return (
                    .failed,
                    """
                    The database rejected a statement. This is a defect of this program: report it with the \
                    log's detail.
                    """,
                    false, .none
                )
            }
        }
    }

    extension StorageError {
        /// A call after closing.
        static let databaseClosed = StorageError(
            .unavailable,
            "The database is closed. Retry against a running server.",
            isRetryable: true
        )
    }
#endif
