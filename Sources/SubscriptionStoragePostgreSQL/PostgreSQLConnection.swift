#if PostgreSQL
    import CLibPQ
    import Foundation
    import SubscriptionCore
    import SubscriptionStorage

    /// A connection to the server in pipeline mode. Only the thread that made it may use it.
    ///
    /// ``enqueue(_:_:)`` queues statements, which are sent together when a result is needed.
    final class PostgreSQLConnection {
        /// A command that was sent and whose result has not been read.
        enum Sent {
            case preparation(name: String)
            case execution
        }

        let pointer: OpaquePointer
        /// The maximum wait for a response; after it the server counts as lost.
        private let answerTimeout: Duration
        /// The server's names of prepared statements, by our names.
        var prepared: [String: String] = [:]
        /// The statements on described tables, each made once.
        var tableStatements: [TableStatement: PostgreSQLStatement] = [:]
        var sent: [Sent] = []
        /// The number of transactions that were begun on it.
        var transactionCount = 0
        /// Whether the connection is unusable.
        private(set) var isLost = false
        /// Committed headers of evidence, so that each is looked up once per connection.
        private(set) var headers = EvidenceHeaders()
        /// The salt of lock numbers: advisory locks are per database, and schemas must not share them.
        private(set) var schema = ""

        /// Takes ownership of a connection and closes it at the end.
        init(_ pointer: OpaquePointer, answerTimeout: Duration) {
            self.pointer = pointer
            self.answerTimeout = answerTimeout
        }

        deinit {
            PQfinish(pointer)
        }

        /// Enters pipeline mode and configures the session.
        ///
        /// - Throws: ``PostgreSQLFailure``.
        func prepareSession(_ options: PostgreSQLOptions) throws(PostgreSQLFailure) {
            // Server warnings must not go to standard error.
            _ = PQsetNoticeProcessor(pointer, { _, _ in }, nil)
            guard PQsetnonblocking(pointer, 1) == 0, PQenterPipelineMode(pointer) == 1 else {
                throw lose("no pipeline")
            }
            try enqueue(
                PostgreSQLQuery.prepareSession,
                PostgreSQLParameters([
                    .string("\(options.statementTimeoutMilliseconds)ms"),
                    .string("\(options.lockTimeoutMilliseconds)ms"),
                ])
            )
            try enqueue(PostgreSQLQuery.synchronousCommit, PostgreSQLParameters([]))
            let answers = try synchronise()
            let schema = try? answers.first?.first { row throws(StorageError) in try row.optionalText(0) ?? "" }
            self.schema = schema ?? ""
        }

        /// Queues a statement and, if needed, its preparation.
        func enqueue(
            _ statement: PostgreSQLStatement,
            _ parameters: PostgreSQLParameters
        ) throws(PostgreSQLFailure) {
            let name: String
            if let known = prepared[statement.name] {
                name = known
            } else {
                name = "p\(prepared.count)"
                guard PQsendPrepare(pointer, name, statement.text, Int32(parameters.ranges.count), nil) == 1 else {
                    throw lose("prepare")
                }
                prepared[statement.name] = name
                sent.append(.preparation(name: statement.name))
            }
            try send(parameters, to: name)
            sent.append(.execution)
        }

        /// Queues a statement that runs once, such as a schema step.
        func enqueueOnce(_ text: String) throws(PostgreSQLFailure) {
            guard PQsendQueryParams(pointer, text, 0, nil, nil, nil, nil, 1) == 1 else { throw lose("send") }
            sent.append(.execution)
        }

        private func send(_ parameters: PostgreSQLParameters, to name: String) throws(PostgreSQLFailure) {
            let count = parameters.ranges.count
            let isSent = parameters.bytes.withUnsafeBytes { bytes in
                let values = parameters.ranges.map { range -> UnsafePointer<CChar>? in
                    guard let range, let base = bytes.baseAddress else { return nil }
                    return (base + range.lowerBound).assumingMemoryBound(to: CChar.self)
                }
                let lengths = parameters.ranges.map { Int32($0?.count ?? 0) }
                let binary = [Int32](repeating: 1, count: count)
                return PQsendQueryPrepared(pointer, name, Int32(count), values, lengths, binary, 1)
            }
            guard isSent == 1 else { throw lose("send") }
        }

        /// Caches committed headers.
        func remember(_ new: EvidenceHeaders) {
            headers.take(new)
        }

        /// Marks the connection as lost.
        func lose(_ what: String) -> PostgreSQLFailure {
            isLost = true
            return .lost("\(what): \(String(cString: PQerrorMessage(pointer)))")
        }

        /// Waits for the next result; nil is the end of a command's results.
        ///
        /// - Throws: ``PostgreSQLFailure`` if the connection is lost or times out.
        func nextResult() throws(PostgreSQLFailure) -> PostgreSQLResult? {
            let deadline = ContinuousClock.now + answerTimeout
            while true {
                let unsent = PQflush(pointer)
                guard unsent >= 0 else { throw lose("flush") }
                if PQisBusy(pointer) == 0 { return PQgetResult(pointer).map(PostgreSQLResult.init) }
                let events = Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0)
                guard let ready = PostgreSQLSocket.wait(pointer, for: events, until: deadline) else {
                    throw lose("no answer within \(answerTimeout)")
                }
                if ready & ~Int16(POLLOUT) != 0, PQconsumeInput(pointer) == 0 { throw lose("read") }
            }
        }
    }

    /// Waits for a connection's socket.
    enum PostgreSQLSocket {
        /// Waits until the socket is ready.
        ///
        /// - Returns: The ready events; nil after the deadline.
        static func wait(_ pointer: OpaquePointer, for events: Int16, until deadline: ContinuousClock.Instant) -> Int16?
        {
            while true {
                let left = deadline - ContinuousClock.now
                guard left > .zero else { return nil }
                let milliseconds = left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
                var entry = pollfd(fd: PQsocket(pointer), events: events, revents: 0)
                let count = poll(&entry, 1, Int32(clamping: milliseconds + 1))
                if count > 0 { return entry.revents }
                if count < 0, errno != EINTR { return Int16(POLLERR) }
            }
        }
    }
#endif
