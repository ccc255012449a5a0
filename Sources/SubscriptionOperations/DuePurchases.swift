public import Logging
public import ServiceLifecycle
public import SubscriptionCore
public import SubscriptionStorage

/// Derives the state of purchases and grants anew when the clock changes it, so that ends of access become events.
public struct DuePurchases: Sendable {
    /// How many purchases or grants one transaction takes.
    private static let batchSize = 200
    /// How often to look again at what another transaction holds.
    private static let looksMax = 100
    private static let pause = Duration.milliseconds(20)

    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy) {
        self.database = database
        self.policy = policy
    }

    /// What one run did.
    public struct Outcome: Hashable, Sendable {
        /// How many purchases and grants were evaluated.
        public var evaluated: Int
        /// How many could not be read back and were passed over; they stay due.
        public var unreadable: Int

        /// Counts by hand; nothing was done by default.
        public init(evaluated: Int = 0, unreadable: Int = 0) {
            self.evaluated = evaluated
            self.unreadable = unreadable
        }
    }

    /// Works until nothing is due at or before an instant.
    ///
    /// What is stored and cannot be read, of a purchase or of a grant's customer, holds up no other: it is passed over and
    /// counted.
    ///
    /// - Throws: ``OperationError`` with storage's codes where a retry may help; what was committed before stays.
    public func settle(until now: Timestamp) async throws(OperationError) -> Outcome {
        let purchases = try await settle(DueWork.purchases(under: policy), until: now)
        let grants = try await settle(DueWork.grants, until: now)
        return Outcome(
            evaluated: purchases.evaluated + grants.evaluated,
            unreadable: purchases.unreadable + grants.unreadable
        )
    }

    private func settle<Item>(_ work: DueWork<Item>, until now: Timestamp) async throws(OperationError) -> Outcome {
        var total = Outcome()
        var looks = 0
        while true {
            let pass = try await evaluate(work, until: now)
            total.evaluated += pass.evaluated
            total.unreadable = pass.unreadable
            // Each evaluation moves the next change past `now`. A short batch need not be the last: what another
            // transaction holds is left out of it.
            guard pass.evaluated == 0 else { continue }
            let left = try await count(work, until: now)
            guard left > pass.unreadable, looks < Self.looksMax else { return total }
            looks += 1
            do { try await Task.sleep(for: Self.pause) } catch { return total }
        }
    }

    /// How many are due and stand in the next batch, whoever holds them.
    private func count<Item>(_ work: DueWork<Item>, until now: Timestamp) async throws(OperationError) -> Int {
        do {
            return try await database.read { storage throws(StorageError) in
                try work.read(storage, now, Self.batchSize).count
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// One batch in one transaction; one by one where something in it cannot be read.
    private func evaluate<Item>(_ work: DueWork<Item>, until now: Timestamp) async throws(OperationError) -> Outcome {
        do {
            let count = try await database.write { storage throws(StorageError) in
                let due = try work.read(storage, now, Self.batchSize)
                for item in due { try work.evaluate(item, storage, now) }
                return due.count
            }
            return Outcome(evaluated: count)
        } catch  where error.isRetryable {
            throw OperationError(error)
        } catch {
            return try await evaluateOneByOne(work, until: now)
        }
    }

    private func evaluateOneByOne<Item>(
        _ work: DueWork<Item>,
        until now: Timestamp
    ) async throws(OperationError) -> Outcome {
        var outcome = Outcome()
        do {
            let due = try await database.read { storage throws(StorageError) in
                try work.read(storage, now, Self.batchSize)
            }
            for item in due {
                if try await isEvaluated(item, work, at: now) {
                    outcome.evaluated += 1
                } else {
                    outcome.unreadable += 1
                }
            }
        } catch {
            throw OperationError(error)
        }
        return outcome
    }

    private func isEvaluated<Item>(
        _ item: Item,
        _ work: DueWork<Item>,
        at now: Timestamp
    ) async throws(StorageError) -> Bool {
        do {
            try await database.write { storage throws(StorageError) in try work.evaluate(item, storage, now) }
            return true
        } catch  where error.isRetryable {
            throw error
        } catch {
            return false
        }
    }
}

/// Runs ``DuePurchases`` by the machine's clock.
public struct DuePurchasesService: Service {
    private let duePurchases: DuePurchases
    private let time: any TimeSource
    private let interval: Duration
    private let logger: Logger

    /// Makes the service.
    ///
    /// - Parameter interval: How often to look.
    public init(duePurchases: DuePurchases, time: any TimeSource, interval: Duration = .seconds(1), logger: Logger) {
        self.duePurchases = duePurchases
        self.time = time
        self.interval = interval
        self.logger = logger
    }

    /// Looks for due purchases until shutdown; a failing database is reported and tried again.
    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    let outcome = try await duePurchases.settle(until: time.now())
                    if outcome.unreadable > 0 {
                        logger.error(
                            "Ends of access cannot be worked out: stored purchases cannot be read back. Restore a backup",
                            metadata: ["count": "\(outcome.unreadable)"]
                        )
                    }
                } catch let error as OperationError {
                    // Work cut short by the end of the server is no failure: it is done at the next start.
                    if Task.isCancelled { return }
                    logger.log(
                        level: error.needsOperator ? .error : .warning,
                        "Ends of access are late, and are tried again in a second: \(error.message)",
                        metadata: ["code": "\(error.code)"]
                    )
                }
                do {
                    try await Task.sleep(for: interval)
                } catch is CancellationError {
                    return
                }
            }
        }
    }
}
