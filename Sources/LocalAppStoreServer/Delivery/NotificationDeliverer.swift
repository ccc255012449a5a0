import AppStoreModel
import LocalAppStore
import Synchronization

/// Sends each notification once to the developer's server.
protocol NotificationDeliverer: Sendable {
    /// Posts notifications and returns the results.
    ///
    /// Calls are sequential: the next call starts after this one has returned.
    ///
    /// - Parameters:
    ///   - queues: The deliveries. The queues run concurrently, the deliveries of one queue sequentially.
    ///   - round: No delivery starts after it has ended.
    /// - Returns: The answers of each queue in order. They are incomplete if the round ended or the task was cancelled;
    ///   the result of the current attempt is unknown then.
    @concurrent func deliver(_ queues: [[Delivery]], in round: DeliveryRound) async -> [[DeliveryAnswer]]
}

/// Deliveries that share an endpoint and can be ended together.
final class DeliveryRound: Sendable {
    /// The endpoint of all deliveries.
    let url: String
    private let ended = Atomic(false)

    init(url: String) { self.url = url }

    /// Whether no further delivery may start.
    var isOver: Bool { ended.load(ordering: .relaxed) }

    /// Prevents further deliveries; the current ones continue.
    func end() { ended.store(true, ordering: .relaxed) }
}

/// The result of a delivery attempt.
struct DeliveryAnswer: Hashable, Sendable {
    /// Apple's name of the result.
    let result: SendAttemptResult
    /// The HTTP status, if there was an answer.
    var httpStatus: Int?

    init(_ result: SendAttemptResult) { self.result = result }

    /// Apple treats 200 to 206 as success.
    init(httpStatus: Int) {
        self.init((200...206).contains(httpStatus) ? .success : .unsuccessfulHTTPResponseCode)
        self.httpStatus = httpStatus
    }
}
