public import SubscriptionCore
import SubscriptionStorage

extension DuePurchases {
    /// Derives again what was derived at an instant later than now: by a clock that was ahead, or that was set back since.
    ///
    /// It looks at every purchase and grant: at a start, and when a clock was corrected.
    ///
    /// - Throws: ``OperationError`` with storage's codes; what was committed before stays.
    public func rederive(at now: Timestamp) async throws(OperationError) -> Outcome {
        let later = now.adding(milliseconds: ClockTolerance.derivedMilliseconds)
        var total = Outcome()
        do throws(StorageError) {
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
        } catch {
            throw OperationError(error)
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
