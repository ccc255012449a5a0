#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// Evidence and events have places in the order of commits, without a gap. A place is taken as late as possible,
    /// with the commit: whoever takes one holds the app's counters, and with them all other commits of the app.
    extension PostgreSQLTransaction {
        /// How many rows may wait for their places.
        private static let waitingMax = 1_000

        /// Puts rows behind an app's last event.
        func append(events: [[ColumnValue]], of app: AppID) throws(StorageError) {
            waiting[app, default: Waiting()].events += events
            try placeIfMany(of: app)
        }

        /// Puts a row behind an app's last evidence.
        func append(evidence: [ColumnValue], of app: AppID) throws(StorageError) {
            waiting[app, default: Waiting()].evidence.append(evidence)
            try placeIfMany(of: app)
        }

        /// Before an app's orders are read in a write: places what waits, and keeps others from adding more meanwhile.
        func settleOrders(of app: AppID) throws(StorageError) {
            guard isWriting else { return }
            try share(app)
            waiting[app] = waiting[app] ?? Waiting()
            try place(app)
        }

        /// Places everything that waits, app by app in one order, so that two commits never wait for each other.
        func placeWaiting() throws(StorageError) {
            for app in waiting.keys.sorted() { try place(app) }
        }

        private func placeIfMany(of app: AppID) throws(StorageError) {
            guard let waiting = waiting[app] else { return }
            if waiting.events.count + waiting.evidence.count >= Self.waitingMax { try place(app) }
        }

        private func place(_ app: AppID) throws(StorageError) {
            guard let rows = waiting.removeValue(forKey: app) else { return }
            try enqueue(
                PostgreSQLQuery.takePlaces,
                [.text(app), .integer(rows.evidence.count), .integer(rows.events.count)]
            )
            if !rows.evidence.isEmpty { try enqueue(PostgreSQLQuery.insertEvidence, rows.evidence, of: app) }
            if !rows.events.isEmpty { try enqueue(PostgreSQLQuery.insertEvents, rows.events, of: app) }
        }
    }
#endif
