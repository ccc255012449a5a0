public import SubscriptionCore
public import SubscriptionStorage

/// Derives the state of purchases and grants anew when the clock changes it, so that ends of access become events.
public struct DuePurchases: Sendable {
    /// How many purchases or grants one transaction takes.
    static let batchSize = 200
    /// How often to look again at what another transaction holds.
    private static let looksMax = 100
    private static let pause = Duration.milliseconds(20)
    /// After so many failures in a row that a retry may mend, the database is at fault.
    private static let retryableFailuresMax = 3

    let database: any SubscriptionDatabase
    let policy: AccessPolicy
    private let failures: FailedDueItems

    /// Makes the use case.
    ///
    /// - Parameter elapsed: The time since any fixed instant, by which what failed waits.
    public init(
        database: any SubscriptionDatabase,
        policy: AccessPolicy,
        elapsed: @escaping @Sendable () -> Duration = CheckedTimeSource.sinceStart()
    ) {
        self.database = database
        self.policy = policy
        failures = FailedDueItems(elapsed: elapsed)
    }

    /// What one run did.
    public struct Outcome: Hashable, Sendable {
        /// How many purchases and grants were evaluated.
        public var evaluated: Int
        /// How many were tried and failed; they stay due.
        public var failed: Int
        /// How many of those failed so often that they are set aside from now on.
        public var setAside: Int

        /// Counts by hand; nothing was done by default.
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

    /// How many due purchases and grants are set aside because they failed again and again.
    public var setAsideCount: Int { failures.setAsideCount }

    /// Works until nothing is due at or before an instant.
    ///
    /// One that fails holds up no other. After three failures in a row it is set aside: it is tried again after a
    /// minute, then after twice as long each time, up to an hour; at once, when a new fact changes when it is due, and
    /// at a restart.
    ///
    /// - Throws: ``OperationError`` with storage's codes where the database is at fault; what was committed before
    ///   stays.
    public func settle(until now: Timestamp) async throws(OperationError) -> Outcome {
        var outcome = try await settle(DueWork.purchases(under: policy), until: now)
        outcome += try await settle(DueWork.grants, until: now)
        return outcome
    }

    private func settle<Item>(_ work: DueWork<Item>, until now: Timestamp) async throws(OperationError) -> Outcome {
        var total = Outcome()
        var passed = failures.resting
        var looks = 0
        while true {
            let pass = try await evaluate(work, passing: passed, until: now)
            total += pass.outcome
            passed.formUnion(pass.failed)
            // Each evaluation moves the next change past `now`, and what failed is not tried again here. A short batch
            // need not be the last: what another transaction holds is left out of it.
            guard pass.outcome.evaluated == 0, pass.failed.isEmpty else { continue }
            let left = try await left(work, passing: passed, until: now)
            guard left > 0, looks < Self.looksMax else { return total }
            looks += 1
            do { try await Task.sleep(for: Self.pause) } catch { return total }
        }
    }

    /// How many are due and stand in the next batch, whoever holds them.
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

    /// One batch in one transaction; one by one where something in it fails.
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

    /// Evaluates each in a transaction of its own.
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
