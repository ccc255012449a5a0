public import Logging
public import ServiceLifecycle

/// Does what is due, again and again, until the server stops: ``StatusPolling`` and ``ExtensionChecks``.
public struct SettlingService: Service {
    private let interval: Duration
    private let logger: Logger
    private let settle: @Sendable (Logger) async -> Void

    /// Makes the service.
    ///
    /// - Parameters:
    ///   - interval: The time between two looks for due work.
    ///   - settle: Does what is due. Failures are logged and repeated.
    public init(
        interval: Duration = .seconds(5),
        logger: Logger,
        settle: @escaping @Sendable (Logger) async -> Void
    ) {
        self.interval = interval
        self.logger = logger
        self.settle = settle
    }

    /// Does what is due until shutdown.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await settle(logger)
                // A cancelled sleep ends the loop.
                try? await Task.sleep(for: interval)
            }
        }
    }
}
