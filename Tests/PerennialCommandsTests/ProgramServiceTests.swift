import Logging
import ServiceLifecycle
import Testing

@testable import PerennialCommands

/// The program of a service.
@Suite struct `A service as a program` {
    private struct Sealed: Service {
        let secret: String

        func run() async throws {}
    }

    @Test func `the name in logs has no content of the service`() {
        let service = StopLoggingService(
            service: Sealed(secret: "sesame"),
            limit: .seconds(1),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        #expect("\(service as any Service)" == "Sealed")
    }
}
