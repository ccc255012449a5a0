import AppStoreModel
import LocalAppStore
import Synchronization

/// Sends notifications to the developer's server, each once.
protocol NotificationDeliverer: Sendable {
    /// Posts notifications and says how that went.
    ///
    /// One call at a time: the next one comes when this one has returned.
    ///
    /// - Parameters:
    ///   - lanes: What is to be delivered. Lanes go out side by side, the deliveries of one lane one after another.
    ///   - round: No delivery begins once it is over.
    /// - Returns: For each lane the answers to its deliveries, in their order; fewer where the round was over, or the
    ///   task cancelled: nothing is known then about the attempt that was under way.
    @concurrent func deliver(_ lanes: [[Delivery]], in round: DeliveryRound) async -> [[DeliveryAnswer]]
}

/// Deliveries that belong together, until somebody ends them.
final class DeliveryRound: Sendable {
    /// Where all of them go.
    let url: String
    private let ended = Atomic(false)

    init(url: String) { self.url = url }

    /// Whether no further delivery shall begin.
    var isOver: Bool { ended.load(ordering: .relaxed) }

    /// Lets no further delivery begin; what is under way goes on.
    func end() { ended.store(true, ordering: .relaxed) }
}

/// How an attempt to deliver went.
struct DeliveryAnswer: Hashable, Sendable {
    /// In Apple's words.
    let result: SendAttemptResult
    /// The status of the answer, where there was one.
    var httpStatus: Int?

    init(_ result: SendAttemptResult) { self.result = result }

    /// Apple counts 200 to 206 as taken.
    init(httpStatus: Int) {
        self.init((200...206).contains(httpStatus) ? .success : .unsuccessfulHTTPResponseCode)
        self.httpStatus = httpStatus
    }
}
