public import Logging
public import ServiceLifecycle
public import SubscriptionCore
public import SubscriptionStorage

/// Derives the state of purchases anew when the clock changes it, so that ends of access become events.
public struct DuePurchases: Sendable {
    /// How many purchases one transaction takes.
    private static let batchSize = 200

    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy) {
        self.database = database
        self.policy = policy
    }

    /// Works until nothing is due at or before an instant.
    ///
    /// - Returns: How many purchases were evaluated.
    /// - Throws: ``OperationError`` with storage's codes; what was committed before stays.
    public func settle(until now: Timestamp) async throws(OperationError) -> Int {
        var evaluated = 0
        while true {
            let count: Int
            do {
                count = try await database.write { [policy] storage throws(StorageError) in
                    let due = try storage.duePurchases(until: now, limit: Self.batchSize)
                    for purchase in due {
                        let update = PurchaseUpdate(app: purchase.appID, now: now, policy: policy, storage: storage)
                        try update.reevaluate(purchase.id)
                    }
                    return due.count
                }
            } catch {
                throw OperationError(error)
            }
            evaluated += count
            // Each evaluation moves the next change past `now`, so a short batch is the last.
            if count < Self.batchSize { return evaluated }
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
                    _ = try await duePurchases.settle(until: time.now())
                } catch let error as OperationError {
                    logger.error("Due purchases wait", metadata: ["code": "\(error.code)"])
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
