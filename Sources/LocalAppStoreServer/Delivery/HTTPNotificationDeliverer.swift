import AppStoreModel
import LocalAppStore
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Delivers over HTTP with a deadline for each attempt, over a few persistent connections.
///
/// Redirects are not followed: a 3xx answer is a failure.
final class HTTPNotificationDeliverer: NotificationDeliverer {
    /// The maximum number of concurrent deliveries.
    static let queueCount = 8

    private let queues: [DeliveryQueue]
    /// Created for the first endpoint that needs it, because it reads all root certificates of the machine.
    private let tls = Mutex<NIOSSLContext?>(nil)

    /// - Parameters:
    ///   - group: The event loops of the connections.
    ///   - deadline: How long an attempt may take in real time.
    init(group: any EventLoopGroup, deadline: Duration) {
        queues = (0..<Self.queueCount).map { _ in DeliveryQueue(on: group.next(), limit: TimeAmount(deadline)) }
    }

    @concurrent func deliver(_ queues: [[Delivery]], in round: DeliveryRound) async -> [[DeliveryAnswer]] {
        let context: NIOSSLContext?
        do {
            context = try round.url.hasPrefix("https") ? tlsContext() : nil
        } catch {
            return queues.map { queue in queue.map { _ in DeliveryAnswer(.tlsIssue) } }
        }
        return await withTaskCancellationHandler {
            let futures = zip(self.queues, queues).map { $0.deliver($1, in: round, tls: context) }
            var answers: [[DeliveryAnswer]] = []
            for future in futures {
                // A delivery queue never fails; it returns the result of each delivery.
                answers.append((try? await future.get()) ?? [])
            }
            return answers
        } onCancel: {
            round.end()
            close()
        }
    }

    /// Aborts the current work and closes every connection.
    func close() {
        for queue in queues { queue.abort() }
    }

    private func tlsContext() throws -> NIOSSLContext {
        try tls.withLock { context in
            if let context { return context }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            let made = try NIOSSLContext(configuration: configuration)
            context = made
            return made
        }
    }
}
