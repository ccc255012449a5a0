public import Logging
public import ServiceLifecycle

/// Runs ``Recovery`` until the server stops.
public struct RecoveryService: Service {
    private let recovery: Recovery
    private let interval: Duration
    private let logger: Logger

    /// Makes the service.
    ///
    /// - Parameter interval: The time between two looks for due windows.
    public init(recovery: Recovery, interval: Duration = .seconds(5), logger: Logger) {
        self.recovery = recovery
        self.interval = interval
        self.logger = logger
    }

    /// Compares due windows until shutdown. Failures are logged and repeated.
    public func run() async throws {
        recovery.log.begin(logger)
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await recovery.settle(reportingTo: logger)
                await recovery.wakeUp.wait(atMost: interval)
            }
        }
    }
}

extension Recovery: SettledWork {
    /// What a failure means.
    public static let failed = "Apple's notification history was not compared"
}
