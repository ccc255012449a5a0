import AppStoreModel
import PerennialCommandSupport
import PerennialPrimitives
import Synchronization

/// A receiver of webhooks that fails a third of the time, but for one event less often than the server gives up.
final class DemoReceiver: Sendable {
    private struct State {
        var random: SplitMix64
        /// The events that were taken, each once, in order of their first arrival.
        var taken: [DemoFeedEvent] = []
        var known: Set<String> = []
        var failures = 0
        var failuresOfEvents: [String: Int] = [:]
        var forged = 0
        var repeated = 0
        var isHealthy = false
    }

    /// How often it fails for one event. The server gives up after the tenth attempt.
    private static let failuresPerEventMax = 6

    private let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(random: SplitMix64(seed: seed))) }

    /// Takes a webhook, or fails.
    ///
    /// - Returns: The HTTP status.
    func take(_ message: WebhookReceiver.Message) -> Int {
        state.withLock { state in
            guard message.isGenuine, let event = DemoFeedEvent(message) else {
                state.forged += 1
                return 400
            }
            let failures = state.failuresOfEvents[event.id, default: 0]
            if !state.isHealthy, failures < Self.failuresPerEventMax, state.random.below(3) == 0 {
                state.failures += 1
                state.failuresOfEvents[event.id] = failures + 1
                return 500
            }
            if state.known.insert(event.id).inserted { state.taken.append(event) } else { state.repeated += 1 }
            return 200
        }
    }

    /// Takes everything from now on.
    func recover() { state.withLock { $0.isHealthy = true } }

    /// Compares what was taken with the feed.
    ///
    /// - Returns: The figures, and each difference as a sentence.
    func compare(with feed: [DemoFeedEvent]) -> (report: DemoReport.Webhooks, differences: [String]) {
        let state = state.withLock(\.self)
        var differences: [String] = []
        let taken = Set(state.taken)
        for event in feed where !taken.contains(event) {
            differences.append("\(event.id) did not arrive as in the feed")
        }
        let isKnown = Set(feed)
        for event in state.taken where !isKnown.contains(event) { differences.append("\(event.id) is not in the feed") }
        let (received, expected) = (Self.byCustomer(state.taken), Self.byCustomer(feed))
        for (customer, events) in expected where received[customer] != events {
            differences.append("the events of \(customer) arrived in another order")
        }
        if state.forged > 0 { differences.append("\(state.forged) webhooks had no valid signature") }
        let report = DemoReport.Webhooks(
            events: feed.count,
            received: state.taken.count,
            failures: state.failures,
            repeated: state.repeated
        )
        return (report, differences)
    }

    private static func byCustomer(_ events: [DemoFeedEvent]) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for event in events { if let customer = event.appUserId { found[customer, default: []].append(event.id) } }
        return found
    }
}

/// The compared part of an event.
struct DemoFeedEvent: Decodable, Hashable, Sendable {
    let id: String
    let type: String
    let occurredAt: Int64
    let appUserId: String?
    let stateVersion: Int64?
    let transactionId: String?
    let price: Int64?

    /// The event in a webhook; nil if it has another form.
    fileprivate init?(_ message: WebhookReceiver.Message) {
        guard let body = try? JSONParser.parseObject(message.body), let event = body["data"]?.objectValue,
            let id = event["id"]?.stringValue, id == message.id, let type = event["type"]?.stringValue,
            case .integer(let occurredAt)? = event["occurred_at"]
        else { return nil }
        self.id = id
        self.type = type
        self.occurredAt = occurredAt
        appUserId = event["app_user_id"]?.stringValue
        transactionId = event["transaction_id"]?.stringValue
        stateVersion = event["state_version"]?.integerValue
        price = event["price"]?.integerValue
    }
}
