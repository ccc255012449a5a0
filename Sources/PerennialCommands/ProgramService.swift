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

/// A service as a program of its own: it runs until it is told to stop, and then finishes what is under way.
enum ProgramService {
    private static let shutdownLimit = Duration.seconds(15)
    /// What is cancelled may take so long to end, before the program ends without it.
    static let patienceSeconds: UInt32 = 2

    /// Runs the service until SIGTERM or SIGINT.
    ///
    /// - Parameter untilEndOfInput: Whether the end of standard input stops it too. A program that starts this one
    ///   holds the other end of that pipe, which closes whatever ends the program, SIGKILL included.
    /// - Throws: What the service throws.
    static func run(_ service: any Service, untilEndOfInput: Bool, logger: Logger) async throws {
        let announced = AnnouncedService(service: service, limit: shutdownLimit, logger: logger)
        let services: [any Service] = untilEndOfInput ? [announced, EndOfInputService()] : [announced]
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        group.maximumGracefulShutdownDuration = shutdownLimit
        try await ServiceGroup(configuration: group).run()
        logger.notice("Stopped: everything that was answered is stored")
    }
}

/// A service that says when it is told to stop.
private struct AnnouncedService: Service {
    let service: any Service
    let limit: Duration
    let logger: Logger

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await service.run()
        } onGracefulShutdown: { [logger, limit] in
            logger.notice(
                "Stopping: no new connections; requests under way are answered",
                metadata: ["at_most_seconds": "\(limit.components.seconds)"]
            )
            Self.end(after: UInt32(limit.components.seconds) + ProgramService.patienceSeconds, logger)
        }
    }

    /// Ends the program in any case: what waits for a database that does not answer cannot be cancelled.
    private static func end(after seconds: UInt32, _ logger: Logger) {
        Thread.detachNewThread {
            sleep(seconds)
            logger.error("Ended without answering what waits for the database; what was answered before is stored")
            _exit(EXIT_FAILURE)
        }
    }
}

/// Runs until standard input ends; what comes in before is thrown away.
private struct EndOfInputService: Service {
    private static let chunkBytes = 4_096

    func run() async throws {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        // A thread of its own, which ends with the program: reading blocks, and Dispatch on Linux may crash on the
        // hang-up of a pipe (seen in Swift 6.3.1, `_dispatch_event_loop_drain`).
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
