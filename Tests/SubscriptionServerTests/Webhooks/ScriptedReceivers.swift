import AppStoreModel
import SubscriptionOperations
import Synchronization

/// The receivers of webhooks, each at an address.
final class ScriptedReceivers: WebhookTransport {
    /// A request that arrived.
    struct Received: Sendable {
        let url: String
        let id: String
        let headers: [String: String]
        let body: [UInt8]
        let status: Int

        var json: JSONObject { (try? JSONParser.parseObject(body)) ?? JSONObject() }
    }

    private struct State {
        var received: [Received] = []
        var answer: @Sendable (Received) -> Result<WebhookAnswer, WebhookSendError> = { _ in
            .success(WebhookAnswer(status: 204))
        }
        var refused: Set<String> = []
        var arrived = 0
        var hangs: @Sendable (String) -> Bool = { _ in false }
        var isHeld = false
        /// The number of requests that are answered although others are held.
        var passing = 0
        /// Ends the requests that are held.
        var held: [AsyncStream<Never>.Continuation] = []

        /// Whether a request that arrives now is held.
        mutating func holds() -> Bool {
            guard isHeld else { return false }
            passing -= 1
            return passing < 0
        }
    }

    private let state = Mutex(State())

    /// Everything that arrived, in order.
    var received: [Received] { state.withLock { $0.received } }

    /// The number of requests that arrived, answered or not.
    var arrived: Int { state.withLock { $0.arrived } }

    /// What was taken: answered with a status of success, in order.
    var taken: [Received] { received.filter { (200...299).contains($0.status) } }

    /// Decides what is answered from now on; a failure arrives too, with the status 0.
    func answer(_ answer: @escaping @Sendable (Received) -> Result<WebhookAnswer, WebhookSendError>) {
        state.withLock { $0.answer = answer }
    }

    /// Answers everything with a status.
    func answer(status: Int, retryAfter: String? = nil) {
        answer { _ in .success(WebhookAnswer(status: status, retryAfter: retryAfter, body: Array("no".utf8))) }
    }

    /// Refuses an address as private.
    func refuse(_ url: String) { state.withLock { _ = $0.refused.insert(url) } }

    /// Never answers the messages with some identifiers, until the sender cancels.
    func hang(_ hangs: @escaping @Sendable (_ id: String) -> Bool) { state.withLock { $0.hangs = hangs } }

    /// Answers nothing until ``release()``, except for the next requests.
    func hold(after count: Int = 0) { state.withLock { ($0.isHeld, $0.passing) = (true, count) } }

    func release() {
        let held = state.withLock { state in
            defer { (state.isHeld, state.held) = (false, []) }
            return state.held
        }
        for request in held { request.finish() }
    }

    func forget() { state.withLock { $0.received = [] } }

    func check(_ url: String) async throws(WebhookSendError) {
        guard !state.withLock({ $0.refused.contains(url) }), url.hasPrefix("https://") else {
            throw WebhookSendError("address_refused", "\(url) is not public.")
        }
    }

    func send(_ request: WebhookRequest, timeout: Duration) async throws(WebhookSendError) -> WebhookAnswer {
        let headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { first, _ in first }
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        let (hangs, isHeld) = state.withLock { state in
            state.arrived += 1
            if state.hangs(headers["webhook-id"] ?? "") { return (true, false) }
            guard state.holds() else { return (false, false) }
            state.held.append(end)
            return (false, true)
        }
        // A cancellation ends the stream too.
        if hangs || isHeld { for await _ in ends {} }
        if hangs { throw WebhookSendError("interrupted", "The sender cancelled.") }
        let result = state.withLock { state in
            let seen = Received(
                url: request.url,
                id: headers["webhook-id"] ?? "",
                headers: headers,
                body: request.body,
                status: 0
            )
            let result = state.answer(seen)
            let status = if case .success(let answer) = result { answer.status } else { 0 }
            state.received.append(
                Received(url: seen.url, id: seen.id, headers: headers, body: request.body, status: status)
            )
            return result
        }
        return try result.get()
    }
}
