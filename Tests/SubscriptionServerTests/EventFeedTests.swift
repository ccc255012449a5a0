import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// A flag that waiting tasks poll until it is open.
private final class Gate: Sendable {
    private let state = Mutex(false)

    var isOpen: Bool { state.withLock { $0 } }

    func open() { state.withLock { $0 = true } }
}

/// `GET /v1/events` returns every event once, in order.
@Suite struct `The event feed` {
    /// A notification about a separate purchase.
    private static func purchase(_ number: Int, at server: ServerFixture) throws -> String {
        let id = "20000000000\(10_000 + number)"
        return try server.apple.notification(
            "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1\(10_000 + number)",
            transaction: SignedApple.period(id: id, original: id)
        )
    }

    private static func text(_ object: JSONObject, _ name: String) -> String? {
        guard case .string(let text)? = object[name] else { return nil }
        return text
    }

    private static func events(_ answer: Answer) throws -> [String?] {
        try answer.objects("data").map { text($0, "id") }
    }

    @Test func `returns lifecycle and access events with revenue and the full entitlement`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        let answer = try await server.send(.get, "/v1/events")
        #expect(answer.status == 200)
        #expect(try answer.bool("has_more") == false)
        let events = try answer.objects("data")
        #expect(events.map { Self.text($0, "type") } == ["subscription.started", "entitlement.granted"])
        #expect(events.map { Self.text($0, "app_user_id") } == ["u_42", "u_42"])
        let started = try #require(events.first)
        #expect(started["price"] == .integer(9990))
        #expect(started["proceeds"] == .integer(6993))
        #expect(started["currency"] == .string("USD"))
        #expect(started["transaction_id"] == .string("2000000000000001"))
        guard case .object(let entitlement)? = events.last?["entitlement"] else {
            Issue.record("an entitlement event without its entitlement")
            return
        }
        #expect(entitlement["id"] == .string("21000001"))
        #expect(entitlement["active"] == .bool(true))
        #expect(entitlement["product_id"] == .string("pro.monthly"))
    }

    @Test func `returns the same events page by page, and a reader continues from the end`() async throws {
        let server = try await ServerFixture()
        for number in 0..<4 { _ = try await server.notify(try Self.purchase(number, at: server)) }
        let whole = try Self.events(try await server.send(.get, "/v1/events?limit=1000"))
        #expect(whole.count == 4)
        var seen: [String?] = []
        var path = "/v1/events?limit=1"
        while true {
            let answer = try await server.send(.get, path)
            seen += try Self.events(answer)
            path = "/v1/events?limit=1&after=" + (try #require(try answer.string("next_cursor")))
            if try answer.bool("has_more") == false { break }
        }
        #expect(seen == whole)
        let end = try await server.send(.get, path)
        #expect(try end.count("data") == 0)
        #expect(try path.hasSuffix(end.string("next_cursor") ?? "none"))
        _ = try await server.notify(try Self.purchase(9, at: server))
        #expect(try await server.send(.get, path).count("data") == 1)
    }

    @Test func `returns a cursor when it is empty, and later events are read from it`() async throws {
        let server = try await ServerFixture()
        let start = try #require(try await server.send(.get, "/v1/events").string("next_cursor"))
        _ = try await server.notify(try Self.purchase(0, at: server))
        #expect(try await server.send(.get, "/v1/events?after=\(start)").count("data") == 1)
    }

    @Test func `returns the events of one app in one environment, and so do its cursors`() async throws {
        let server = try await ServerFixture()
        _ = try await server.notify(try Self.purchase(0, at: server))
        let cursor = try #require(try await server.send(.get, "/v1/events").string("next_cursor"))
        let foreign = try await server.send(.get, "/v1/events", key: ServerFixture.sandboxSecret)
        #expect(try foreign.count("data") == 0)
        let refused = try await server.send(.get, "/v1/events?after=\(cursor)", key: ServerFixture.sandboxSecret)
        #expect(refused.status == 400)
        #expect(try refused.errorCode() == "parameter_invalid")
    }

    @Test(arguments: [
        "after=", "after=c1", "after=00", "limit=0", "limit=1001", "limit=x", "wait=-1", "wait=31", "wait=soon",
    ])
    func `rejects an invalid query and names the parameter`(query: String) async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.get, "/v1/events?\(query)")
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "parameter_invalid")
        #expect(try answer.string("error", "param") == query.prefix { $0 != "=" }.description)
    }

    @Test(arguments: [
        ("/v1/events?cursor=00", "cursor"), ("/v1/events?limit=1&After=00", "After"),
        ("/v1/customers/u_42?asof=1", "asof"), ("/v1/customers/u_42/entitlements?explain=true&x", "x"),
        ("/v1/customers/u_42/timeline?cursor=c1", "cursor"), ("/v1/apple/notifications?page=2", "page"),
    ])
    func `rejects an unknown parameter, so that a typing error is reported`(
        path: String,
        name: String
    ) async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.get, path)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "parameter_unknown")
        #expect(try answer.string("error", "param") == name)
    }

    @Test func `cannot be read with a publishable key`() async throws {
        let server = try await ServerFixture()
        #expect(try await server.send(.get, "/v1/events", key: ServerFixture.publishable).status == 403)
    }

    @Test func `reports a cursor past its end instead of waiting`() async throws {
        let server = try await ServerFixture()
        _ = try await server.notify(try Self.purchase(0, at: server))
        let ahead = EventCursor(sequence: 2, app: ServerFixture.app).text
        let answer = try await server.send(.get, "/v1/events?after=\(ahead)&wait=30")
        #expect(answer.status == 409)
        #expect(try answer.errorCode() == "cursor_unknown")
    }

    /// After a backup was restored, the next event gets the sequence number of a lost one.
    @Test func `does not take a lost event for the new one with its sequence number`() async throws {
        let (lost, restored) = (try await ServerFixture(), try await ServerFixture())
        for server in [lost, restored] { _ = try await server.notify(try Self.purchase(0, at: server)) }
        let kept = try #require(try await lost.send(.get, "/v1/events").string("next_cursor"))
        restored.time.advance(to: restored.time.now().adding(milliseconds: 1))
        for server in [lost, restored] { _ = try await server.notify(try Self.purchase(1, at: server)) }
        let (before, after) = (try await lost.send(.get, "/v1/events"), try await restored.send(.get, "/v1/events"))
        let (lostIDs, newIDs) = (try Self.events(before), try Self.events(after))
        #expect(lostIDs.count == newIDs.count && lostIDs.first == newIDs.first)
        #expect(lostIDs.last != newIDs.last)

        let gone = try #require(try before.string("next_cursor"))
        let answer = try await restored.send(.get, "/v1/events?after=\(gone)")
        #expect(answer.status == 409)
        #expect(try answer.errorCode() == "cursor_unknown")
        #expect(try await !restored.send(.get, "/v1/events?after=\(kept)").objects("data").isEmpty)

        let id = try #require(lostIDs.last ?? nil)
        let url = #""url":"https://hooks.example.com""#
        let start = try await restored.send(.post, "/v1/webhook_endpoints", body: #"{\#(url),"after":"\#(id)"}"#)
        #expect(try start.errorCode() == "webhook_start_impossible")
        let endpoint = try await restored.send(.post, "/v1/webhook_endpoints", body: "{\(url)}").string("id")
        let path = "/v1/webhook_endpoints/\(try #require(endpoint))/resend"
        for body in [#"{"after":"\#(id)"}"#, #"{"after":"beginning","through":"\#(id)"}"#] {
            #expect(try await restored.send(.post, path, body: body).errorCode() == "webhook_resend_impossible")
        }
        let first = try #require(newIDs.first ?? nil)
        let sent = try await restored.send(.post, path, body: #"{"after":"\#(first)"}"#)
        #expect(sent.status == 202)
    }

    @Test func `answers a waiting reader when an event is stored`() async throws {
        let clock = ImmediateClock()
        let server = try await ServerFixture(waiting: clock)
        let signed = try Self.purchase(0, at: server)
        clock.onSleep { number in
            if number == 3 { _ = try await server.notify(signed) }
        }
        let answer = try await server.send(.get, "/v1/events?wait=30")
        #expect(try answer.count("data") == 1)
        #expect(clock.sleeps == 3)
    }

    @Test func `ends a wait with an empty page and a cursor`() async throws {
        let clock = ImmediateClock()
        let server = try await ServerFixture(waiting: clock)
        let answer = try await server.send(.get, "/v1/events?wait=2")
        #expect(answer.status == 200)
        #expect(try answer.count("data") == 0)
        #expect(try answer.string("next_cursor") != nil)
        #expect(clock.now.elapsed == .seconds(2))
    }

    @Test func `limits the number of waiting readers`() async throws {
        let clock = ImmediateClock()
        let gate = Gate()
        clock.onSleep { _ in
            try await ServerFixture.until { gate.isOpen }
        }
        let feed = EventFeed(database: InMemoryDatabase(), clock: clock)
        let start = EventCursor(sequence: 0, app: ServerFixture.app)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<EventFeed.waitersMax {
                group.addTask { _ = try await feed.page(after: start, limit: 1, wait: .milliseconds(1)) }
            }
            try await ServerFixture.until { clock.sleeps >= EventFeed.waitersMax }
            let error = await #expect(throws: OperationError.self) {
                try await feed.page(after: start, limit: 1, wait: .milliseconds(1))
            }
            #expect(error?.code == "too_many_waiting")
            #expect(error?.isRetryable == true)
            gate.open()
            try await group.waitForAll()
        }
        #expect(try await feed.page(after: start, limit: 1, wait: .milliseconds(1)).events.isEmpty)
    }

    @Test func `frees the slot of a reader that disconnected`() async throws {
        let clock = ImmediateClock()
        let feed = EventFeed(database: InMemoryDatabase(), clock: clock)
        let start = EventCursor(sequence: 0, app: ServerFixture.app)
        let page = try await feed.page(after: start, limit: 1, wait: .seconds(30)) { clock.sleeps >= 3 }
        #expect(page.events.isEmpty)
        #expect(clock.sleeps == 3)
        #expect(clock.now.elapsed <= .seconds(1))
        #expect(feed.waiting == 0)
    }

    @Test func `returns each event once and in order while several writers run`() async throws {
        let server = try await ServerFixture()
        let signed = try (0..<40).map { try Self.purchase($0, at: server) }
        let seen = try await withThrowingTaskGroup(of: [String?].self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for index in stride(from: writer, to: signed.count, by: 4) {
                        _ = try await server.notify(signed[index])
                    }
                    return []
                }
            }
            group.addTask {
                var (seen, after) = ([] as [String?], "")
                while seen.count < signed.count {
                    let answer = try await server.send(.get, "/v1/events?limit=7\(after)")
                    seen += try Self.events(answer)
                    after = "&after=" + (try answer.string("next_cursor") ?? "")
                }
                return seen
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(seen.count == signed.count)
        #expect(Set(seen).count == signed.count)
        #expect(try Self.events(try await server.send(.get, "/v1/events?limit=1000")) == seen)
    }
}
