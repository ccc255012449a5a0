public import Logging
public import ServiceLifecycle

/// Runs ``StatusPolling`` until the server stops.
public struct PollingService: Service {
    private let polling: StatusPolling
    private let interval: Duration
    private let logger: Logger

    /// Makes the service.
    ///
    /// - Parameter interval: The time between two looks for due subscriptions.
    public init(polling: StatusPolling, interval: Duration = .seconds(5), logger: Logger) {
        self.polling = polling
        self.interval = interval
        self.logger = logger
    }

    /// Asks about due subscriptions until shutdown. Failures are logged and repeated.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await polling.settle(reportingTo: logger)
                // A cancelled sleep ends the loop.
                try? await Task.sleep(for: interval)
            }
        }
    }
}

extension StatusPolling {
    /// Asks about every subscription that is due. A failure is logged, because the work is repeated.
    public func settle(reportingTo logger: Logger) async {
        do {
            try await settle()
        } catch  where !Task.isCancelled {
            logger.log(
                level: error.needsOperator ? .error : .warning,
                "Apple was not asked for the status of due subscriptions and will be again: \(error.message)",
                metadata: ["code": "\(error.code)"]
            )
        } catch {
            // The server is stopping.
        }
    }
}
