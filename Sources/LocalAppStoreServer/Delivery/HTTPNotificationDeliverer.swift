import AppStoreModel
import LocalAppStore
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Delivers over HTTP with a deadline for each attempt, over a few connections that stay open.
///
/// A redirect is not followed: an answer of 3xx is no success.
final class HTTPNotificationDeliverer: NotificationDeliverer {
    /// How many deliveries may be under way at a time.
    static let queueCount = 8

    private let queues: [DeliveryQueue]
    /// Made for the first endpoint that needs it, since it reads every root certificate of the machine.
    private let tls = Mutex<NIOSSLContext?>(nil)

    /// - Parameters:
    ///   - group: Where the connections live.
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
                // A lane never fails; it says how each of its deliveries went.
                answers.append((try? await future.get()) ?? [])
            }
            return answers
        } onCancel: {
            round.end()
            close()
        }
    }

    /// Breaks off what is under way and closes every connection.
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
