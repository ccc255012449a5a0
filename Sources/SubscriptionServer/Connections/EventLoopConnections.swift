import HummingbirdCore
import Logging
import NIOCore

/// HTTP/1.1 connections whose requests are processed on the connection's event loop.
///
/// A request does little work itself and waits for verification and database, which have their own threads. Switching
/// to a thread pool and back would cost more than the work.
struct EventLoopConnections: ServerChildChannel {
    private let http: HTTP1Channel

    /// Wraps Hummingbird's connection handling.
    init(_ http: HTTP1Channel) {
        self.http = http
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopTaskExecutor(value.channel.eventLoop)) {
            await http.handle(value: value, logger: logger)
        }
    }
}

/// Runs tasks on an event loop.
private final class EventLoopTaskExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
