#if PostgreSQL
    import CLibPQ
    import Foundation
    import SubscriptionCore
    import SubscriptionStorage

    /// A connection to the server in pipeline mode. It belongs to the thread that made it.
    ///
    /// Statements are put in line with ``enqueue(_:_:)`` and go to the server together when an answer is wanted.
    final class PostgreSQLConnection {
        /// A command that was sent and whose result has not been read.
        enum Sent {
            case preparation(name: String)
            case execution
        }

        let pointer: OpaquePointer
        /// The longest wait for an answer; past it the server counts as lost.
        private let answerTimeout: Duration
        /// The names under which the server knows statements, by our names of them.
        var prepared: [String: String] = [:]
        /// The statements on described tables, each made once.
        var tableStatements: [TableStatement: PostgreSQLStatement] = [:]
        var sent: [Sent] = []
        /// How many transactions were begun on it.
        var transactionCount = 0
        /// Set once the connection is of no use any more.
        private(set) var isLost = false
        /// Headers of evidence that are committed, so that one is looked up once per connection.
        private(set) var headers = EvidenceHeaders()
        /// What locks are salted with: they belong to the database, and schemas in it must not share them.
        private(set) var schema = ""

        /// Takes a connection over, and closes it at the end.
        init(_ pointer: OpaquePointer, answerTimeout: Duration) {
            self.pointer = pointer
            self.answerTimeout = answerTimeout
        }

        deinit {
            PQfinish(pointer)
        }

        /// Enters pipeline mode and makes the session ours.
        ///
        /// - Throws: ``PostgreSQLFailure``.
        func prepareSession(_ options: PostgreSQLOptions) throws(PostgreSQLFailure) {
            // The server's warnings are no business of standard error.
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

        /// Puts a statement in line; it is prepared first where the server does not know it yet.
        func enqueue(
            _ statement: PostgreSQLStatement,
            _ parameters: PostgreSQLParameters
        ) throws(PostgreSQLFailure) {
            let name: String
            if let known = prepared[statement.name] {
                name = known
            } else {
                name = "p\(prepared.count)"
                guard PQsendPrepare(pointer, name, statement.text, Int32(parameters.places.count), nil) == 1 else {
                    throw lose("prepare")
                }
                prepared[statement.name] = name
                sent.append(.preparation(name: statement.name))
            }
            try send(parameters, to: name)
            sent.append(.execution)
        }

        /// Puts a statement in line that is run once, such as a step of the schema.
        func enqueueOnce(_ text: String) throws(PostgreSQLFailure) {
            guard PQsendQueryParams(pointer, text, 0, nil, nil, nil, nil, 1) == 1 else { throw lose("send") }
            sent.append(.execution)
        }

        private func send(_ parameters: PostgreSQLParameters, to name: String) throws(PostgreSQLFailure) {
            let count = parameters.places.count
            let isSent = parameters.bytes.withUnsafeBytes { bytes in
                let values = parameters.places.map { place -> UnsafePointer<CChar>? in
                    guard let place, let base = bytes.baseAddress else { return nil }
                    return (base + place.lowerBound).assumingMemoryBound(to: CChar.self)
                }
                let lengths = parameters.places.map { Int32($0?.count ?? 0) }
                let binary = [Int32](repeating: 1, count: count)
                return PQsendQueryPrepared(pointer, name, Int32(count), values, lengths, binary, 1)
            }
            guard isSent == 1 else { throw lose("send") }
        }

        /// Remembers headers that were committed.
        func remember(_ new: EvidenceHeaders) {
            headers.take(new)
        }

        /// Gives the connection up.
        func lose(_ what: String) -> PostgreSQLFailure {
            isLost = true
            return .lost("\(what): \(String(cString: PQerrorMessage(pointer)))")
        }

        /// Waits for the next result; nil marks the end of a command's results.
        ///
        /// - Throws: ``PostgreSQLFailure`` where the connection is gone, or silent for too long.
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

    /// Waiting for a connection's socket.
    enum PostgreSQLSocket {
        /// Waits until the socket is ready.
        ///
        /// - Returns: What it is ready for; nil once the deadline has passed.
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
