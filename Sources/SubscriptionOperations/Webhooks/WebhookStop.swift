import Synchronization

/// The stop of a server: nothing new is sent, and requests in flight get a short time.
final class WebhookStop: Sendable {
    private let grace: Duration
    private let requestedAt = Mutex<ContinuousClock.Instant?>(nil)

    /// Makes the state of a running server.
    ///
    /// - Parameter grace: How long requests in flight may take.
    init(grace: Duration) { self.grace = grace }

    /// Whether the server stops.
    var isRequested: Bool { requestedAt.withLock { $0 != nil } }

    /// Whether the time of the requests in flight is over.
    var isOverdue: Bool { requestedAt.withLock { $0.map { ContinuousClock.now - $0 >= grace } ?? false } }

    /// Notes that the server stops.
    func request() { requestedAt.withLock { $0 = $0 ?? .now } }
}
