#if PostgreSQL
    import CLibPQ

    /// Statements of the tests' own, each batch on a connection of its own, apart from the engine under test.
    enum SimpleConnection {
        /// Whether the server takes statements.
        static func answers(at url: String) -> Bool {
            PQping(url) == PQPING_OK
        }

        /// Runs statements, and gives the first value of the last one.
        ///
        /// - Throws: ``PostgreSQLTestFailure`` with what the server said.
        static func run(_ statements: String, at url: String) throws -> String? {
            guard let connection = PQconnectdb(url) else { throw PostgreSQLTestFailure("libpq has no memory.") }
            defer { PQfinish(connection) }
            _ = PQsetNoticeProcessor(connection, { _, _ in }, nil)
            guard let result = PQexec(connection, statements) else { throw failure(connection) }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK: return nil
            case PGRES_TUPLES_OK:
                guard PQntuples(result) > 0, PQgetisnull(result, 0, 0) == 0 else { return nil }
                return String(cString: PQgetvalue(result, 0, 0))
            default: throw failure(connection)
            }
        }

        private static func failure(_ connection: OpaquePointer) -> PostgreSQLTestFailure {
            PostgreSQLTestFailure(String(cString: PQerrorMessage(connection)))
        }
    }
#endif
