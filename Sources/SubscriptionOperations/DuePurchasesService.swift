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
            var rederiving = Rederiving()
            while !Task.isCancelled {
                await clock?.run()
                if time.dispute == nil {
                    if rederiving.isDue(after: clock?.corrections) { rederiving.isDone = await isDone(rederive) }
                    _ = await isDone(settle)
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

    /// Does some work, and says whether it was done; a failure is reported.
    private func isDone(_ work: () async throws(OperationError) -> Void) async -> Bool {
        do throws(OperationError) {
            try await work()
            return true
        } catch {
            if !Task.isCancelled {
                logger.log(
                    level: error.needsOperator ? .error : .warning,
                    "Ends of access are late, and are tried again: \(error.message)",
                    metadata: ["code": "\(error.code)"]
                )
            }
            return false
        }
    }

    private func rederive() async throws(OperationError) {
        let outcome = try await duePurchases.rederive(at: time.now())
        guard outcome.evaluated + outcome.failed > 0 else { return }
        logger.notice(
            "States that a clock ahead of this one had derived were derived again",
            metadata: ["count": "\(outcome.evaluated)", "failed": "\(outcome.failed)"]
        )
    }

    private func settle() async throws(OperationError) {
        let outcome = try await duePurchases.settle(until: time.now())
        guard outcome.setAside > 0 else { return }
        logger.error(
            "Due purchases or grants fail again and again and are set aside; their state is not brought up to date",
            metadata: ["count": "\(outcome.setAside)", "all": "\(duePurchases.setAsideCount)"]
        )
    }
}

/// When everything is looked through for what a clock that was ahead derived: at the start, when the clock was corrected, and
/// now and then, since another server's clock may have been ahead.
private struct Rederiving {
    private static let interval = Duration.seconds(3_600)
    private static let intervalAfterFailure = Duration.seconds(60)

    private var lastAt: ContinuousClock.Instant?
    private var corrections: Int?
    /// Whether the last time went well.
    var isDone = false

    mutating func isDue(after corrections: Int?) -> Bool {
        let now = ContinuousClock.now
        if let lastAt, corrections == self.corrections,
            now - lastAt < (isDone ? Self.interval : Self.intervalAfterFailure)
        {
            return false
        }
        (lastAt, self.corrections) = (now, corrections)
        return true
    }
}
