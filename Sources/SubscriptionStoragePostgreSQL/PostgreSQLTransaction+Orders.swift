#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// Evidence and events have sequence numbers in commit order, without gaps. They are taken as late as possible,
    /// with the commit, because the lock on the app's counters blocks all other commits of the app.
    extension PostgreSQLTransaction {
        /// The maximum number of rows that wait for sequence numbers.
        private static let waitingMax = 1_000

        /// Appends rows to an app's events.
        func append(events: [[ColumnValue]], of app: AppID) throws(StorageError) {
            waiting[app, default: Waiting()].events += events
            try flushIfFull(of: app)
        }

        /// Appends a row to an app's evidence.
        func append(evidence: [ColumnValue], of app: AppID) throws(StorageError) {
            waiting[app, default: Waiting()].evidence.append(evidence)
            try flushIfFull(of: app)
        }

        /// Queues the waiting rows and locks the app's counters, before a write reads evidence or events in order.
        func flushAndLockCounters(of app: AppID) throws(StorageError) {
            guard isWriting else { return }
            try lockShared(app)
            waiting[app] = waiting[app] ?? Waiting()
            try flush(app)
        }

        /// Queues all waiting rows, app by app in a fixed order, so that two commits never deadlock.
        func flushWaiting() throws(StorageError) {
            for app in waiting.keys.sorted() { try flush(app) }
        }

        private func flushIfFull(of app: AppID) throws(StorageError) {
            guard let waiting = waiting[app] else { return }
            if waiting.events.count + waiting.evidence.count >= Self.waitingMax { try flush(app) }
        }

        private func flush(_ app: AppID) throws(StorageError) {
            guard let rows = waiting.removeValue(forKey: app) else { return }
            try enqueue(
                PostgreSQLQuery.takeSequenceNumbers,
                [.text(app), .integer(rows.evidence.count), .integer(rows.events.count)]
            )
            if !rows.evidence.isEmpty { try enqueue(PostgreSQLQuery.insertEvidence, rows.evidence, of: app) }
            if !rows.events.isEmpty { try enqueue(PostgreSQLQuery.insertEvents, rows.events, of: app) }
        }
    }
#endif
