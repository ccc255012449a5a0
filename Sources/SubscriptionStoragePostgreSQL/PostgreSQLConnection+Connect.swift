#if PostgreSQL
    import CLibPQ
    import Foundation
    import SubscriptionStorage

    extension PostgreSQLConnection {
        /// The oldest supported server version: 14 is the first that reports whether it accepts writes.
        static let serverVersionMin: Int32 = 140_000

        /// Connects to the first host that accepts writes.
        ///
        /// - Throws: ``StorageError``; with several hosts, an error that a person can fix takes precedence over a host
        ///   that does not respond.
        static func connect(
            to address: PostgreSQLAddress,
            options: PostgreSQLOptions
        ) throws(StorageError) -> PostgreSQLConnection {
            var error: StorageError?
            for target in address.targets {
                do throws(StorageError) {
                    return try connect(to: target, options: options)
                } catch let refusal {
                    if error == nil || error?.code == .unavailable { error = refusal }
                }
            }
            throw error ?? PostgreSQLFailure.lost("no host").error
        }

        private static func connect(
            to target: [String: String],
            options: PostgreSQLOptions
        ) throws(StorageError) -> PostgreSQLConnection {
            let deadline = ContinuousClock.now + .milliseconds(options.connectTimeoutMilliseconds)
            guard let pointer = start(target) else { throw PostgreSQLFailure.lost("no memory").error }
            // A connection without a response well after the statement timeout is lost.
            let answerTimeout = Duration.milliseconds(options.statementTimeoutMilliseconds) + .seconds(5)
            let connection = PostgreSQLConnection(pointer, answerTimeout: answerTimeout)
            // Error codes instead of messages: they do not depend on the language and contain no data.
            _ = PQsetErrorVerbosity(pointer, PQERRORS_SQLSTATE)
            try finishConnecting(pointer, until: deadline)
            _ = PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT)
            try requireSuitable(version: PQserverVersion(pointer), encoding: connection.setting("server_encoding"))
            let standsBy = ["in_hot_standby", "default_transaction_read_only"].contains {
                connection.setting($0) != "off"
            }
            guard !standsBy else { throw PostgreSQLFailure(state: "25006", detail: "a standby").error }
            do throws(PostgreSQLFailure) {
                try connection.prepareSession(options)
            } catch {
                throw error.error
            }
            return connection
        }

        private func setting(_ name: String) -> String {
            PQparameterStatus(pointer, name).map { String(cString: $0) } ?? ""
        }

        private static func start(_ target: [String: String]) -> OpaquePointer? {
            let keywords = Array(target.keys)
            let copies = keywords.flatMap { [strdup($0), strdup(target[$0] ?? "")] }
            defer { for copy in copies { free(copy) } }
            func list(from first: Int) -> [UnsafePointer<CChar>?] {
                stride(from: first, to: copies.count, by: 2).map { copies[$0].map { UnsafePointer($0) } } + [nil]
            }
            return PQconnectStartParams(list(from: 0), list(from: 1), 0)
        }

        private static func finishConnecting(
            _ pointer: OpaquePointer,
            until deadline: ContinuousClock.Instant
        ) throws(StorageError) {
            guard PQstatus(pointer) != CONNECTION_BAD else { throw refusal(pointer) }
            var events = Int16(POLLOUT)
            while true {
                guard PostgreSQLSocket.wait(pointer, for: events, until: deadline) != nil else {
                    throw PostgreSQLFailure.lost("no connection in time").error
                }
                switch PQconnectPoll(pointer) {
                case PGRES_POLLING_OK: return
                case PGRES_POLLING_READING: events = Int16(POLLIN)
                case PGRES_POLLING_WRITING: events = Int16(POLLOUT)
                default: throw refusal(pointer)
                }
            }
        }

        /// The error of a refused connection: the server's code, if there is one.
        private static func refusal(_ pointer: OpaquePointer) -> StorageError {
            let text = String(cString: PQerrorMessage(pointer))
            // "FATAL:  28P01": only an error of the server ends in a code.
            let isCode = { (word: Substring) in
                word.utf8.count == 5 && word.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
            }
            guard let last = text.split(whereSeparator: \.isWhitespace).last, isCode(last) else {
                return PostgreSQLFailure.notConnected(text).error
            }
            return PostgreSQLFailure(state: String(last), detail: "while connecting").error
        }

        /// Refuses a server that is too old, or a database whose text is not UTF-8.
        static func requireSuitable(version: Int32, encoding: String) throws(StorageError) {
            guard version >= serverVersionMin else {
                throw StorageError(
                    .serverUnsuitable,
                    "The database server is PostgreSQL \(version / 10_000); 14 or newer is needed.",
                    isRetryable: false
                )
            }
            guard encoding == "UTF8" else {
                throw StorageError(
                    .serverUnsuitable,
                    "The database keeps text as \(encoding). Make one with ENCODING 'UTF8'.",
                    isRetryable: false
                )
            }
        }
    }
#endif
