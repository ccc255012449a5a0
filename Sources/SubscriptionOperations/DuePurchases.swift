public import SubscriptionCore
public import SubscriptionStorage

/// Derives the states of purchases and grants again when they change by time, so that ends of access become events.
public struct DuePurchases: Sendable {
    /// The number of purchases or grants in one transaction.
    static let batchSize = 200
    /// How often to retry items that another transaction has locked.
    private static let looksMax = 100
    private static let pause = Duration.milliseconds(20)
    /// After this many consecutive retryable failures, the database is considered unavailable.
    private static let retryableFailuresMax = 3

    let database: any SubscriptionDatabase
    let policy: AccessPolicy
    private let failures: FailedDueItems

    /// Makes the use case.
    ///
    /// - Parameter elapsed: The time since a fixed start, which measures the pauses of failed items.
    public init(
        database: any SubscriptionDatabase,
        policy: AccessPolicy,
        elapsed: @escaping @Sendable () -> Duration = CheckedTimeSource.sinceStart()
    ) {
        self.database = database
        self.policy = policy
        failures = FailedDueItems(elapsed: elapsed)
    }

    /// The result of a run.
    public struct Outcome: Hashable, Sendable {
        /// The number of evaluated purchases and grants.
        public var evaluated: Int
        /// The number of failures; these items stay due.
        public var failed: Int
        /// The number of items that were newly set aside.
        public var setAside: Int

        /// Makes an outcome; all counts are 0 by default.
        public init(evaluated: Int = 0, failed: Int = 0, setAside: Int = 0) {
            self.evaluated = evaluated
            self.failed = failed
            self.setAside = setAside
        }

        static func += (total: inout Outcome, other: Outcome) {
            total.evaluated += other.evaluated
            total.failed += other.failed
            total.setAside += other.setAside
        }
    }

    /// The number of due purchases and grants that are set aside after repeated failures.
    public var setAsideCount: Int { failures.setAsideCount }

    /// Processes everything that is due at or before a time.
    ///
    /// A failing item does not block others. After three consecutive failures it is set aside and retried after a
    /// minute, then after twice as long each time, up to an hour. A new fact that changes its due time, or a restart,
    /// retries it at once.
    ///
    /// - Throws: ``OperationError`` with storage's codes if the database is unavailable; earlier commits stay.
    public func settle(until now: Timestamp) async throws(OperationError) -> Outcome {
        var outcome = try await settle(DueWork.purchases(under: policy), until: now)
        outcome += try await settle(DueWork.grants, until: now)
        return outcome
    }

    private func settle<Item>(_ work: DueWork<Item>, until now: Timestamp) async throws(OperationError) -> Outcome {
        var total = Outcome()
        var passed = failures.paused
        var looks = 0
        // Mostly nothing is due, and a read need not wait for other writes.
        guard try await left(work, passing: passed, until: now) > 0 else { return total }
        while true {
            let pass = try await evaluate(work, passing: passed, until: now)
            total += pass.outcome
            passed.formUnion(pass.failed)
            // Each evaluation moves the next change past `now`, and failed items are not retried here. A short batch
            // may not be the last, because it skips items that another transaction has locked.
            guard pass.outcome.evaluated == 0, pass.failed.isEmpty else { continue }
            let left = try await left(work, passing: passed, until: now)
            guard left > 0, looks < Self.looksMax else { return total }
            looks += 1
            do { try await Task.sleep(for: Self.pause) } catch { return total }
        }
    }

    /// The number of due items in the next batch, including locked ones.
    private func left<Item>(
        _ work: DueWork<Item>,
        passing passed: Set<DueItem>,
        until now: Timestamp
    ) async throws(OperationError) -> Int {
        let limit = Self.batchSize + passed.count
        let due: [DueItem]
        do {
            due = try await database.read { storage throws(StorageError) in
                try work.read(storage, now, limit).map(work.name)
            }
        } catch {
            throw OperationError(error)
        }
        if due.count < limit { failures.keep(work.kind, in: Set(due)) }
        return due.count { !passed.contains($0) }
    }

    /// Evaluates a batch in one transaction; if an item fails, each in its own.
    private func evaluate<Item>(
        _ work: DueWork<Item>,
        passing passed: Set<DueItem>,
        until now: Timestamp
    ) async throws(OperationError) -> (outcome: Outcome, failed: Set<DueItem>) {
        let limit = Self.batchSize + passed.count
        let batch: @Sendable (any StorageReading) throws(StorageError) -> [Item] = { storage throws(StorageError) in
            Array(try work.read(storage, now, limit).filter { !passed.contains(work.name($0)) }.prefix(Self.batchSize))
        }
        do {
            let done = try await database.write { storage throws(StorageError) in
                let due = try batch(storage)
                for item in due { try work.evaluate(item, storage, now) }
                return due.map(work.name)
            }
            failures.forget(done)
            return (Outcome(evaluated: done.count), [])
        } catch  where !error.mayConcernOneWork {
            throw OperationError(error)
        } catch {
            let due: [Item]
            do { due = try await database.read(batch) } catch { throw OperationError(error) }
            return try await evaluateOneByOne(due, work, at: now)
        }
    }

    /// Evaluates each item in its own transaction.
    private func evaluateOneByOne<Item>(
        _ items: [Item],
        _ work: DueWork<Item>,
        at now: Timestamp
    ) async throws(OperationError) -> (outcome: Outcome, failed: Set<DueItem>) {
        var outcome = Outcome()
        var failed: Set<DueItem> = []
        var retryableFailures = 0
        for item in items {
            do {
                try await database.write { storage throws(StorageError) in try work.evaluate(item, storage, now) }
                failures.forget([work.name(item)])
                outcome.evaluated += 1
                retryableFailures = 0
            } catch {
                retryableFailures = error.isRetryable ? retryableFailures + 1 : 0
                guard error.mayConcernOneWork, retryableFailures < Self.retryableFailuresMax else {
                    throw OperationError(error)
                }
                failed.insert(work.name(item))
                outcome.failed += 1
                if failures.note(work.name(item)) { outcome.setAside += 1 }
            }
        }
        return (outcome, failed)
    }
}
