#if PostgreSQL
    import CLibPQ
    import SubscriptionStorage

    extension PostgreSQLConnection {
        /// Sends what is in line and reads every answer.
        ///
        /// - Returns: The answers of the statements, in order.
        /// - Throws: ``PostgreSQLFailure`` with the first error; what was in line behind it was not run.
        func synchronise() throws(PostgreSQLFailure) -> [PostgreSQLResult] {
            guard PQpipelineSync(pointer) == 1 else { throw lose("synchronise") }
            let commands = sent
            sent.removeAll(keepingCapacity: true)
            var answers: [PostgreSQLResult] = []
            var failure: PostgreSQLFailure?
            var place = 0
            // Each command gives one result and an end, and the synchronisation one result.
            for _ in 0...(2 * commands.count + 1) {
                guard let result = try nextResult() else { continue }
                switch PQresultStatus(result.pointer) {
                case PGRES_PIPELINE_SYNC:
                    if let failure { throw failure }
                    return answers
                case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                    if place < commands.count, case .execution = commands[place] { answers.append(result) }
                case PGRES_PIPELINE_ABORTED:
                    forget(commands, place)
                default:
                    forget(commands, place)
                    failure = failure ?? self.failure(of: result)
                }
                place += 1
            }
            throw failure ?? lose("the answers do not end")
        }

        /// A statement whose preparation did not happen is unknown to the server.
        private func forget(_ commands: [Sent], _ place: Int) {
            guard place < commands.count, case .preparation(let name) = commands[place] else { return }
            prepared[name] = nil
        }

        private func failure(of result: PostgreSQLResult) -> PostgreSQLFailure {
            guard PQstatus(pointer) != CONNECTION_BAD else { return lose("answer") }
            func field(_ code: Character) -> String? {
                guard let ascii = code.asciiValue else { return nil }
                return PQresultErrorField(result.pointer, Int32(ascii)).map { String(cString: $0) }
            }
            guard let state = field("C") else { return lose("an error without a code") }
            // What is wrong with data repeats the data.
            let dataException = "22"
            let message = state.hasPrefix(dataException) ? "" : field("M") ?? ""
            let constraint = field("n").map { " (\($0))" } ?? ""
            return PostgreSQLFailure(state: state, detail: message + constraint)
        }
    }
#endif
