public import Logging
public import ServiceLifecycle
import SubscriptionCore

/// Runs ``DuePurchases`` by the machine's clock while no other clock contradicts it.
///
/// After a start it waits until the server has asked for what Apple sent meanwhile: a missed renewal is no end.
public struct DuePurchasesService: Service {
    private let duePurchases: DuePurchases
    private let time: any TimeSource
    private let clock: ClockCheck?
    private let interval: Duration
    private let patience: Duration
    private let mayBegin: @Sendable () -> Bool
    private let logger: Logger

    /// Makes the service.
    ///
    /// - Parameters:
    ///   - clock: Compares the clock with others before each run; nil for a clock that is not checked.
    ///   - interval: The time between runs.
    ///   - patience: How long to wait for `mayBegin`.
    ///   - mayBegin: Whether it is known what Apple sent while no server ran; asked until it is.
    public init(
        duePurchases: DuePurchases,
        time: any TimeSource,
        clock: ClockCheck? = nil,
        interval: Duration = .seconds(1),
        patience: Duration = .seconds(600),
        mayBegin: @escaping @Sendable () -> Bool = { true },
        logger: Logger
    ) {
        self.duePurchases = duePurchases
        self.time = time
        self.clock = clock
        self.interval = interval
        self.patience = patience
        self.mayBegin = mayBegin
        self.logger = logger
    }

    /// Processes due purchases until shutdown. Database failures are logged and retried.
    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            var notes = DerivationNotes()
            var hasBegun = false
            let latestBegin = ContinuousClock.now + patience
            while !Task.isCancelled {
                await clock?.run()
                hasBegun = hasBegun || mayBegin() || latestBegin <= .now
                if hasBegun, time.dispute == nil {
                    do throws(OperationError) {
                        try await note(&notes)
                        try await settle()
                    } catch {
                        if !Task.isCancelled { report(error) }
                    }
                    // Work that the shutdown interrupted is done after the next start.
                    if Task.isCancelled { return }
                }
                do {
                    try await Task.sleep(for: interval)
                } catch is CancellationError {
                    return
                }
            }
        }
    }

    /// Records the time. If a later time is recorded, a clock was ahead, and the states that it derived are derived
    /// again.
    private func note(_ notes: inout DerivationNotes) async throws(OperationError) {
        let now = time.now()
        guard notes.isDue(at: now, after: clock?.corrections) else { return }
        let latest = try await duePurchases.latestDerivation()
        if latest.map({ time.reading.isBehind($0) }) ?? true {
            notes.notedAt = now
            guard notes.beginsRederiving() else { return }
            notes.isRederived = try await rederive()
            guard notes.isRederived else { return }
        }
        try await duePurchases.noteDerivation(at: now, insteadOf: latest)
        notes.notedAt = now
    }

    /// Derives again what was derived later than now, and returns whether everything succeeded.
    private func rederive() async throws(OperationError) -> Bool {
        let outcome = try await duePurchases.rederive(at: time.now())
        if outcome.evaluated + outcome.failed > 0 {
            logger.notice(
                "Derived states again that a clock ahead of this one had derived",
                metadata: ["count": "\(outcome.evaluated)", "failed": "\(outcome.failed)"]
            )
        }
        return outcome.failed == 0
    }

    private func settle() async throws(OperationError) {
        let outcome = try await duePurchases.settle(until: time.now())
        guard outcome.setAside > 0 else { return }
        logger.error(
            "Due purchases or grants failed repeatedly and were set aside; their state is not up to date",
            metadata: ["count": "\(outcome.setAside)", "all": "\(duePurchases.setAsideCount)"]
        )
    }

    private func report(_ error: OperationError) {
        logger.log(
            level: error.needsOperator ? .error : .warning,
            "Due changes of access were not processed and will be retried: \(error.message)",
            metadata: ["code": "\(error.code)"]
        )
    }
}

/// Decides when the time is recorded and when all states are checked.
private struct DerivationNotes {
    /// The time between records. A clock that was ahead by less than this may stay unnoticed.
    private static let intervalMilliseconds: Int64 = 60_000
    private static let rederivingInterval = Duration.seconds(3_600)
    private static let rederivingIntervalAfterFailure = Duration.seconds(60)

    /// The time of the last record.
    var notedAt: Timestamp?
    /// Whether the last check of all states succeeded.
    var isRederived = false
    private var rederivedAt: ContinuousClock.Instant?
    private var corrections: Int?

    /// Whether to record the time now: at the start, every minute, and after a correction of the clock.
    mutating func isDue(at now: Timestamp, after corrections: Int?) -> Bool {
        if corrections != self.corrections {
            self.corrections = corrections
            rederivedAt = nil
            return true
        }
        guard let notedAt else { return true }
        return now <= notedAt.adding(milliseconds: -Self.intervalMilliseconds)
            || now >= notedAt.adding(milliseconds: Self.intervalMilliseconds)
    }

    /// Whether all states may be checked now. The interval limits the work if another server's clock stays ahead.
    mutating func beginsRederiving() -> Bool {
        let now = ContinuousClock.now
        if let rederivedAt {
            let interval = isRederived ? Self.rederivingInterval : Self.rederivingIntervalAfterFailure
            guard now - rederivedAt >= interval else { return false }
        }
        rederivedAt = now
        isRederived = false
        return true
    }
}
