public import SubscriptionCore
public import SubscriptionStorage

extension DuePurchases {
    /// Notes the start of a server that derives states by this clock, before it derives any.
    ///
    /// A database where no instant was ever noted stays so until everything in it was looked through.
    ///
    /// - Throws: ``StorageError``.
    public func noteStart(at now: Timestamp) async throws(StorageError) {
        try await database.write { storage throws(StorageError) in
            if try storage.latestDerivation() != nil { try storage.noteDerivation(at: now) }
        }
    }

    /// The latest instant at which states were derived, as far as it was noted.
    func latestDerivation() async throws(OperationError) -> Timestamp? {
        do {
            return try await database.read { storage throws(StorageError) in try storage.latestDerivation() }
        } catch {
            throw OperationError(error)
        }
    }

    /// Notes that states are derived at this instant from now on.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - latest: What was noted before; a later instant that was noted meanwhile stays.
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

    /// Derives again what was derived at an instant later than now: by a clock that was ahead, or that was set back
    /// since.
    ///
    /// It looks at every purchase and grant.
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
            var place: OriginalTransactionID?
            while true {
                let page = try await database.read { [place] storage throws(StorageError) in
                    try storage.purchases(derivedAfter: later, of: app, after: place, limit: Self.batchSize)
                }
                guard let last = page.last else { break }
                place = last
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

    /// All in one transaction; one by one where something fails.
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
                // What a retry may mend is tried again from the beginning, later.
                guard !error.isRetryable else { throw error }
                outcome.failed += 1
            }
        }
        return outcome
    }
}
