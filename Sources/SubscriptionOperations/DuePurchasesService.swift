public import Logging
public import ServiceLifecycle
import SubscriptionCore

/// Runs ``DuePurchases`` by the machine's clock, as long as no other clock contradicts it.
public struct DuePurchasesService: Service {
    private let duePurchases: DuePurchases
    private let time: any TimeSource
    private let clock: ClockCheck?
    private let interval: Duration
    private let logger: Logger

    /// Makes the service.
    ///
    /// - Parameters:
    ///   - clock: Compares the clock with others before each look; nil for a clock that is not checked.
    ///   - interval: How often to look.
    public init(
        duePurchases: DuePurchases,
        time: any TimeSource,
        clock: ClockCheck? = nil,
        interval: Duration = .seconds(1),
        logger: Logger
    ) {
        self.duePurchases = duePurchases
        self.time = time
        self.clock = clock
        self.interval = interval
        self.logger = logger
    }

    /// Looks for due purchases until shutdown; a failing database is reported and tried again.
    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            var noting = Noting()
            while !Task.isCancelled {
                await clock?.run()
                if time.dispute == nil {
                    do throws(OperationError) {
                        try await note(&noting)
                        try await settle()
                    } catch {
                        if !Task.isCancelled { report(error) }
                    }
                    // Work cut short by the end of the server is done at the next start.
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

    /// Notes the time. Where a later time was noted, a clock was ahead, and what it derived is derived again.
    private func note(_ noting: inout Noting) async throws(OperationError) {
        let now = time.now()
        guard noting.isDue(at: now, after: clock?.corrections) else { return }
        let latest = try await duePurchases.latestDerivation()
        if latest.map({ time.reading.isBehind($0) }) ?? true {
            noting.notedAt = now
            guard noting.beginsRederiving() else { return }
            noting.isRederived = try await rederive()
            guard noting.isRederived else { return }
        }
        try await duePurchases.noteDerivation(at: now, insteadOf: latest)
        noting.notedAt = now
    }

    /// Derives again what was derived later than now, and says whether all of it was done.
    private func rederive() async throws(OperationError) -> Bool {
        let outcome = try await duePurchases.rederive(at: time.now())
        if outcome.evaluated + outcome.failed > 0 {
            logger.notice(
                "States that a clock ahead of this one had derived were derived again",
                metadata: ["count": "\(outcome.evaluated)", "failed": "\(outcome.failed)"]
            )
        }
        return outcome.failed == 0
    }

    private func settle() async throws(OperationError) {
        let outcome = try await duePurchases.settle(until: time.now())
        guard outcome.setAside > 0 else { return }
        logger.error(
            "Due purchases or grants fail again and again and are set aside; their state is not brought up to date",
            metadata: ["count": "\(outcome.setAside)", "all": "\(duePurchases.setAsideCount)"]
        )
    }

    private func report(_ error: OperationError) {
        logger.log(
            level: error.needsOperator ? .error : .warning,
            "Ends of access are late, and are tried again: \(error.message)",
            metadata: ["code": "\(error.code)"]
        )
    }
}

/// When the time is noted, and when everything is looked through.
private struct Noting {
    /// A state that was derived by a clock ahead of what was noted is right within this time.
    private static let intervalMilliseconds: Int64 = 60_000
    private static let rederivingInterval = Duration.seconds(3_600)
    private static let rederivingIntervalAfterFailure = Duration.seconds(60)

    /// What was noted last.
    var notedAt: Timestamp?
    /// Whether the last look through everything went well.
    var isRederived = false
    private var rederivedAt: ContinuousClock.Instant?
    private var corrections: Int?

    /// Whether the time is noted now: at the start, every minute, and when the clock was corrected.
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

    /// Whether everything may be looked through now. Another server whose clock is ahead makes it needed again and
    /// again.
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
