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
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await recovery.settle(reportingTo: logger)
                await recovery.wakeUp.wait(atMost: interval)
            }
        }
    }
}

extension Recovery {
    /// Compares every window that is due. A failure is logged, because the work is repeated.
    public func settle(reportingTo logger: Logger) async {
        do {
            try await settle()
        } catch  where !Task.isCancelled {
            logger.log(
                level: error.needsOperator ? .error : .warning,
                "Apple's notification history was not compared and will be again: \(error.message)",
                metadata: ["code": "\(error.code)"]
            )
        } catch {
            // The server is stopping.
        }
    }
}
