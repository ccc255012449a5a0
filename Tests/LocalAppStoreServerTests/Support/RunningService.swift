import Logging
import ServiceLifecycle
import Synchronization

/// Runs a service that listens on a free port, during `body`.
///
/// The service ends by a graceful shutdown. SwiftNIO ends the process if a server is cancelled while a connection that
/// it accepted is not served yet.
func withRunning(
    _ makeService: (_ onListening: @escaping @Sendable (Int) -> Void) throws -> any Service,
    _ body: (_ port: Int) async throws -> Void
) async throws {
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    var configuration = ServiceGroupConfiguration(
        services: [OneRun(of: try makeService { listening.yield($0) })],
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    configuration.maximumGracefulShutdownDuration = .seconds(10)
    let services = ServiceGroup(configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { listening.finish() }
            try await services.run()
        }
        // A service that does not start has no port. Its own error has the reason.
        if let port = await ports.first(where: { _ in true }) {
            do {
                try await body(port)
            } catch {
                await services.triggerGracefulShutdown()
                try? await group.waitForAll()
                throw error
            }
            await services.triggerGracefulShutdown()
        }
        try await group.waitForAll()
    }
}

/// A service that runs once, and is released at its end: a group keeps its services, and a store its locked file.
private final class OneRun: Service {
    private let service: Mutex<(any Service)?>

    init(of service: any Service) { self.service = Mutex(service) }

    func run() async throws {
        guard let service = service.withLock({ $0.take() }) else { return }
        try await service.run()
    }
}
