public import Logging
import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Compares the machine's clock with the database's clock and reports when a dispute begins and ends.
public final class ClockCheck: Sendable {
    private let time: CheckedTimeSource
    private let database: any SubscriptionDatabase
    private let logger: Logger
    private let wasDisputed = Mutex(false)

    /// Makes the check.
    ///
    /// - Parameter time: The clock that is checked.
    public init(time: CheckedTimeSource, database: any SubscriptionDatabase, logger: Logger) {
        self.time = time
        self.database = database
        self.logger = logger
    }

    /// How often the clock was corrected.
    var corrections: Int { time.corrections }

    /// Reads the database's time and reports a change in the log and as an event of every app.
    ///
    /// If the database does not respond, its last time stays in use and advances with the monotonic clock.
    public func run() async {
        do throws(StorageError) {
            let start = ContinuousClock.now
            let databaseTime = try await database.read { storage throws(StorageError) in try storage.databaseTime() }
            // A slow response is too old to compare.
            if let databaseTime, ContinuousClock.now - start < .seconds(5) { time.take(database: databaseTime) }
            try await report()
        } catch {
            logger.warning(
                "The clock could not be compared with the database's clock",
                metadata: ["code": "\(error.code.rawValue)"]
            )
        }
    }

    private func report() async throws(StorageError) {
        let dispute = time.dispute
        guard wasDisputed.withLock({ $0 }) != (dispute != nil) else { return }
        let now = time.now()
        let event: SubscriptionEvent
        if let dispute {
            let seconds = dispute.aheadMilliseconds / 1_000
            event = SubscriptionEvent(
                kind: .clockDisputed,
                occurredAt: now,
                details: ["witness": dispute.otherClock.rawValue, "ahead_seconds": "\(seconds)"]
            )
            logger.error(
                """
                This machine's clock is disputed: no access ends by time. Set the clock right, or restart to \
                accept it
                """,
                metadata: ["witness": "\(dispute.otherClock.rawValue)", "ahead_seconds": "\(seconds)"]
            )
        } else {
            event = SubscriptionEvent(kind: .clockAgreed, occurredAt: now)
            logger.notice("This machine's clock agrees with the others again")
        }
        try await database.write { storage throws(StorageError) in
            for app in try storage.apps() { try storage.append([event], customer: nil, recordedAt: now, app: app.id) }
        }
        wasDisputed.withLock { $0 = dispute != nil }
    }
}
