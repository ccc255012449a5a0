import AppStoreClient
import AppStoreModel
import AppStoreSigning
import SubscriptionCore
import SubscriptionServer
import Synchronization

import protocol SubscriptionOperations.TimeSource
import struct SubscriptionOperations.AppStoreAccess

/// Simulates Apple's notification history: pages, tokens and faults.
final class ScriptedHistory: HTTPTransport {
    /// The response to one request instead of a page.
    enum Fault: Sendable {
        /// A status with Apple's error number.
        case error(status: Int, number: Int64)
        /// Something that is not a page.
        case malformed
        /// A page with the token of an earlier one.
        case repeated
        /// The connection fails.
        case unreachable
    }

    struct Item: Sendable {
        var signedPayload: String
        /// When Apple made it.
        var at: Int64
        var attempts: [SendAttemptItem]
    }

    private struct State {
        var items: [Item] = []
        /// The faults of coming requests, by the number of pages since; each is used once.
        var faults: [Int: [Fault]] = [:]
        var requests = 0
        var pages = 0
        var isAway = false
        var isSilent = false
        /// The number of pages after which the first one comes again, up to a number of requests.
        var cycle: (pages: Int, requestsMax: Int)?
        /// Whether the pages that come again have new tokens.
        var hasFreshTokens = false
        /// Until when requests are answered with 429, from a number of pages on.
        var limit: (pages: Int, until: Timestamp, time: any TimeSource)?
        /// Called before each answer, with the number of requests.
        var onRequest: (@Sendable (Int) -> Void)?
    }

    private let state = Mutex(State())
    private let pageSize: Int

    init(pageSize: Int = 3) { self.pageSize = pageSize }

    /// The number of requests.
    var requests: Int { state.withLock { $0.requests } }

    /// Adds a notification.
    func add(_ signedPayload: String, at time: Int64, attempts: [(Int64, SendAttemptResult)] = []) {
        let attempts = attempts.map { SendAttemptItem(attemptDate: $0.0, sendAttemptResult: $0.1) }
        state.withLock { $0.items.append(Item(signedPayload: signedPayload, at: time, attempts: attempts)) }
    }

    /// Marks all notifications as delivered.
    func deliverAll(at time: Int64) {
        let delivered = SendAttemptItem(attemptDate: time, sendAttemptResult: .success)
        state.withLock { state in
            for index in state.items.indices { state.items[index].attempts.append(delivered) }
        }
    }

    /// Adds faults before a page, counted from 0 over all requests.
    func fail(before page: Int, with faults: [Fault]) { state.withLock { $0.faults[page] = faults } }

    /// Answers with 429 until a time, from a number of pages on.
    func limit(afterPages pages: Int, until end: Timestamp, by time: any TimeSource) {
        state.withLock { $0.limit = (pages, end, time) }
    }

    /// Returns to the first page after a number of pages, until so many requests were made that nobody notices.
    func repeatPages(_ pages: Int, requestsMax: Int, withFreshTokens isFresh: Bool = false) {
        state.withLock { ($0.cycle, $0.hasFreshTokens) = ((pages, requestsMax), isFresh) }
    }

    /// Sets what is called before each answer, with the number of requests.
    func onRequest(_ action: @escaping @Sendable (Int) -> Void) { state.withLock { $0.onRequest = action } }

    /// Sets whether requests wait without an answer until they are cancelled.
    func setSilent(_ isSilent: Bool) { state.withLock { $0.isSilent = isSilent } }

    /// Sets whether nothing answers.
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    func access() throws -> AppStoreAccess {
        AppStoreAccess([ServerFixture.app: try entry()])
    }

    func entry(in environment: AppStoreEnvironment = .production) throws -> AppStoreAccess.Entry {
        // The client does not repeat a query: these are tests of the server's own repetitions.
        let client = AppStoreServerAPIClient(
            key: .generate(),
            transport: self,
            configuration: .init(
                hosts: AppStoreHosts(everywhere: "https://store.test"),
                retryPolicy: .never,
                rateLimiting: .off
            )
        )
        return AppStoreAccess.Entry(api: client.app(ServerFixture.bundle, in: .only(environment)))
    }

    func send(
        _ request: AppStoreHTTPRequest,
        timeout: Duration,
        bodyBytesMax: Int
    ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
        let body = try? NotificationHistoryRequest(json: JSONParser.parseObject(request.body ?? []))
        if state.withLock({ state in
            if state.isSilent { state.requests += 1 }
            return state.isSilent
        }) {
            // The sleep ends with the task.
            try? await Task.sleep(for: .seconds(600))
            throw HTTPTransportError(code: .cancelled, message: "cancelled", mayHaveBeenSent: true)
        }
        let (action, number) = state.withLock { ($0.onRequest, $0.requests + 1) }
        action?(number)
        let token = request.url.split(separator: "paginationToken=").dropFirst().first.flatMap { Int($0) }
        let answer = state.withLock { state -> (Int, String)? in
            state.requests += 1
            guard !state.isAway, let body else { return nil }
            if let limit = state.limit, state.pages >= limit.pages, limit.time.now() < limit.until {
                return (429, #"{"errorCode":4290000,"errorMessage":"Rate limit exceeded."}"#)
            }
            var isRepeated = false
            if var faults = state.faults[state.pages], !faults.isEmpty {
                let fault = faults.removeFirst()
                state.faults[state.pages] = faults
                switch fault {
                case .error(let status, let number):
                    return (status, #"{"errorCode":\#(number),"errorMessage":"Scripted."}"#)
                case .malformed: return (200, "[]")
                case .unreachable: return nil
                case .repeated: isRepeated = true
                }
            }
            state.pages += 1
            let found = state.items.filter { item in
                (body.startDate...body.endDate).contains(item.at)
                    && (body.onlyFailures != true || item.attempts.last?.sendAttemptResult != .success)
            }
            let start = token ?? 0
            let cycle = state.cycle.flatMap { state.requests <= $0.requestsMax ? $0.pages * pageSize : nil }
            let page = found.dropFirst(cycle.map { start % $0 } ?? start).prefix(pageSize)
            let next = start + page.count
            var following = next < found.count ? next : nil
            if let cycle, next >= cycle { following = state.hasFreshTokens ? next : 0 }
            let history = page.map {
                NotificationHistoryResponseItem(signedPayload: $0.signedPayload, sendAttempts: $0.attempts)
            }
            let response = NotificationHistoryResponse(
                hasMore: isRepeated || following != nil,
                notificationHistory: history,
                paginationToken: isRepeated ? String(start) : following.map { String($0) }
            )
            return (200, String(decoding: response.jsonBytes, as: UTF8.self))
        }
        guard let answer else {
            throw HTTPTransportError(code: .connectionFailed, message: "away", mayHaveBeenSent: false)
        }
        return AppStoreHTTPResponse(status: answer.0, headers: HTTPHeaders([]), body: Array(answer.1.utf8))
    }
}
