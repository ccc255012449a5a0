public import SubscriptionCore
public import SubscriptionStorage

extension DuePurchases {
    /// Records the start of a server with this clock, before it derives states.
    ///
    /// If no time was ever recorded, none is recorded until all states were checked.
    ///
    /// - Throws: ``StorageError``.
    public func noteStart(at now: Timestamp) async throws(StorageError) {
        try await database.write { storage throws(StorageError) in
            if try storage.latestDerivation() != nil { try storage.noteDerivation(at: now) }
        }
    }

    /// The recorded latest time of a derivation.
    func latestDerivation() async throws(OperationError) -> Timestamp? {
        do {
            return try await database.read { storage throws(StorageError) in try storage.latestDerivation() }
        } catch {
            throw OperationError(error)
        }
    }

    /// Records that states are derived at this time from now on.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - latest: The previous recorded time. A later time that was recorded meanwhile stays.
    func noteDerivation(at now: Timestamp, insteadOf latest: Timestamp?) async throws(OperationError) {
        guard latest != now else { return }
        do {
            try await database.write { storage throws(StorageError) in
                if let latest, latest > now { try storage.lowerLatestDerivation(from: latest, to: now) }
                try storage.noteDerivation(at: now)
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// Derives again the states that were derived at a later time than now, by a clock that was ahead or was set back
    /// since.
    ///
    /// It checks every purchase and grant.
    ///
    /// - Throws: ``OperationError`` with storage's codes; what was committed before stays.
    public func rederive(at now: Timestamp) async throws(OperationError) -> Outcome {
        do { return try await rederiveAll(at: now) } catch { throw OperationError(error) }
    }

    private func rederiveAll(at now: Timestamp) async throws(StorageError) -> Outcome {
        let later = now.adding(milliseconds: ClockTolerance.derivedMilliseconds)
        var total = Outcome()
        let apps = try await database.read { storage throws(StorageError) in try storage.apps().map(\.id) }
        for app in apps {
            var cursor: OriginalTransactionID?
            while true {
                let page = try await database.read { [cursor] storage throws(StorageError) in
                    try storage.purchases(derivedAfter: later, of: app, after: cursor, limit: Self.batchSize)
                }
                guard let last = page.last else { break }
                cursor = last
                let due = page.map { DuePurchase(appID: app, id: $0, dueAt: now) }
                total += try await rederive(due, DueWork.purchases(under: policy), at: now)
            }
        }
        var pass = Outcome(evaluated: 1)
        while pass.evaluated > 0 {
            let page = try await database.read { storage throws(StorageError) in
                try storage.grants(endedBefore: later, limit: Self.batchSize)
            }
            pass = try await rederive(page, DueWork.grants, at: now)
            total += pass
        }
        return total
    }

    /// Runs all items in one transaction; if one fails, each in its own.
    private func rederive<Item>(
        _ items: [Item],
        _ work: DueWork<Item>,
        at now: Timestamp
    ) async throws(StorageError) -> Outcome {
        guard !items.isEmpty else { return Outcome() }
        do throws(StorageError) {
            try await database.write { storage throws(StorageError) in
                for item in items { try work.evaluate(item, storage, now) }
            }
            return Outcome(evaluated: items.count)
        } catch {
            guard error.mayConcernOneWork else { throw error }
        }
        var outcome = Outcome()
        for item in items {
            do throws(StorageError) {
                try await database.write { storage throws(StorageError) in try work.evaluate(item, storage, now) }
                outcome.evaluated += 1
            } catch {
                // After a retryable failure, the caller starts again later.
                guard !error.isRetryable else { throw error }
                outcome.failed += 1
            }
        }
        return outcome
    }
}
