#if PostgreSQL
    import CLibPQ
    import SubscriptionStorage

    extension PostgreSQLConnection {
        /// Sends the queued commands and reads all results.
        ///
        /// - Returns: The results of the statements, in order.
        /// - Throws: ``PostgreSQLFailure`` with the first error; the commands after it were not run.
        func synchronise() throws(PostgreSQLFailure) -> [PostgreSQLResult] {
            guard PQpipelineSync(pointer) == 1 else { throw lose("synchronise") }
            let commands = sent
            sent.removeAll(keepingCapacity: true)
            var answers: [PostgreSQLResult] = []
            var failure: PostgreSQLFailure?
            var index = 0
            // Each command has one result and an end marker; the sync point has one result.
            for _ in 0...(2 * commands.count + 1) {
                guard let result = try nextResult() else { continue }
                switch PQresultStatus(result.pointer) {
                case PGRES_PIPELINE_SYNC:
                    if let failure { throw failure }
                    return answers
                case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                    if index < commands.count, case .execution = commands[index] { answers.append(result) }
                case PGRES_PIPELINE_ABORTED:
                    forget(commands, index)
                default:
                    forget(commands, index)
                    failure = failure ?? self.failure(of: result)
                }
                index += 1
            }
            throw failure ?? lose("the answers do not end")
        }

        /// Forgets a statement whose preparation failed.
        private func forget(_ commands: [Sent], _ index: Int) {
            guard index < commands.count, case .preparation(let name) = commands[index] else { return }
            prepared[name] = nil
        }

        private func failure(of result: PostgreSQLResult) -> PostgreSQLFailure {
            guard PQstatus(pointer) != CONNECTION_BAD else { return lose("answer") }
            func field(_ code: Character) -> String? {
                guard let ascii = code.asciiValue else { return nil }
                return PQresultErrorField(result.pointer, Int32(ascii)).map { String(cString: $0) }
            }
            guard let state = field("C") else { return lose("an error without a code") }
            // The message of a data exception contains the data.
            let dataException = "22"
            let message = state.hasPrefix(dataException) ? "" : field("M") ?? ""
            let constraint = field("n").map { " (\($0))" } ?? ""
            return PostgreSQLFailure(state: state, detail: message + constraint)
        }
    }
#endif
