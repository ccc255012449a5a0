import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A service as a separate program: it runs until a stop signal, and then completes the current work.
enum ProgramService {
    private static let shutdownLimit = Duration.seconds(15)
    /// The time that cancelled work may take before the program ends without it.
    static let graceSeconds: UInt32 = 2

    /// Runs the service until SIGTERM or SIGINT.
    ///
    /// - Parameter untilEndOfInput: Whether the end of standard input also stops it. A parent program holds the other
    ///   end of that pipe, which closes whenever the parent ends, even by SIGKILL.
    /// - Throws: Errors of the service.
    static func run(_ service: any Service, untilEndOfInput: Bool, logger: Logger) async throws {
        let logging = StopLoggingService(service: service, limit: shutdownLimit, logger: logger)
        let services: [any Service] = untilEndOfInput ? [logging, EndOfInputService()] : [logging]
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        group.maximumGracefulShutdownDuration = shutdownLimit
        try await ServiceGroup(configuration: group).run()
        logger.notice("Stopped: all answered requests are stored")
    }
}

/// A service that logs the stop signal.
///
/// A service group uses the description of a service as its name, also in logs. The default one is a reflection of the
/// whole value: for a store it takes longer than to read its file, and for a server it contains secrets.
struct StopLoggingService: Service, CustomStringConvertible {
    let service: any Service
    let limit: Duration
    let logger: Logger

    var description: String { "\(type(of: service))" }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await service.run()
        } onGracefulShutdown: { [logger, limit] in
            logger.notice(
                "Stopping: no new connections; running requests are completed",
                metadata: ["at_most_seconds": "\(limit.components.seconds)"]
            )
            Self.end(after: UInt32(limit.components.seconds) + ProgramService.graceSeconds, logger)
        }
    }

    /// Ends the program in any case, because work that waits for an unresponsive database cannot be cancelled.
    private static func end(after seconds: UInt32, _ logger: Logger) {
        Thread.detachNewThread {
            sleep(seconds)
            logger.error("Ended with requests still waiting for the database; all answered requests are stored")
            _exit(EXIT_FAILURE)
        }
    }
}

/// Runs until standard input ends; input before that is discarded.
private struct EndOfInputService: Service {
    private static let chunkBytes = 4_096

    func run() async throws {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        // A separate thread that ends with the program. Reading blocks, and Dispatch on Linux may crash when a pipe
        // closes (seen in Swift 6.3.1, `_dispatch_event_loop_drain`).
        Thread.detachNewThread {
            Self.readToTheEnd()
            continuation.finish()
        }
        for await _ in end.cancelOnGracefulShutdown() {}
    }

    private static func readToTheEnd() {
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        var count = 0
        repeat {
            count = read(STDIN_FILENO, &chunk, chunk.count)
        } while count > 0 || (count < 0 && errno == EINTR)
    }
}
