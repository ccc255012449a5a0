import HTTPTypes
import SubscriptionServer
import SubscriptionStorageTesting
import Synchronization
import Testing

/// Limits on the size and the number of requests.
@Suite struct `Request limits` {
    @Test(
        arguments: [
            (.put, "/v1/entitlements/pro"), (.post, "/v1/customers/u/grants"), (.post, "/v1/apple/notifications"),
            (.post, "/v1/transactions"), (.post, "/v1/transfers"),
        ] as [(HTTPRequest.Method, String)]
    )
    func `reject a body that is too large and report the limit`(method: HTTPRequest.Method, path: String) async throws {
        let server = try await ServerFixture()
        let body = #"{"reason":"\#(String(repeating: "x", count: (6 << 20) + 1))"}"#
        let answer = try await server.send(method, path, body: body)
        #expect(answer.status == 413)
        #expect(try answer.errorCode() == "body_too_large")
        #expect(try answer.string("error", "message")?.contains { $0.isNumber } == true)
        #expect(try answer.bool("error", "retryable") == false)
    }

    /// Calls a body while a request is waiting.
    private func withWaitingRequest(
        _ limits: ServerLimits,
        _ body: (ServerFixture) async throws -> Void
    ) async throws {
        let clock = ImmediateClock()
        let isOver = Mutex(false)
        clock.onSleep { _ in
            try await ServerFixture.until { isOver.withLock { $0 } }
        }
        let server = try await ServerFixture(waiting: clock, limits: limits)
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await server.send(.get, "/v1/events?wait=1").status }
            try await ServerFixture.until { clock.sleeps > 0 }
            do {
                try await body(server)
            } catch {
                isOver.withLock { $0 = true }
                throw error
            }
            isOver.withLock { $0 = true }
            #expect(try await group.next() == 200)
        }
    }

    @Test func `answer excess requests with a retry time, and health checks as usual`() async throws {
        try await withWaitingRequest(ServerLimits(requestsMax: 1)) { server in
            let refused = try await server.send(.get, "/v1/entitlements")
            #expect(refused.status == 503)
            #expect(try refused.errorCode() == "overloaded")
            #expect(try refused.bool("error", "retryable") == true)
            #expect(refused.headers[.retryAfter] == "2")
            for path in ["/healthz", "/readyz", "/metrics"] {
                #expect(try await server.send(.get, path, key: nil).status == 200)
            }
        }
    }

    @Test func `bound the bytes of bodies in progress and release every reservation`() async throws {
        let server = try await ServerFixture(
            limits: ServerLimits(requestsMax: 1, notificationsMax: 1, notificationBytesInProgressMax: 1_000)
        )
        // A single body is accepted regardless of its size.
        for _ in 0..<3 { #expect(try await server.notify(try server.apple.notification()).status == 200) }
        for _ in 0..<3 { #expect(try await server.send(.get, "/v1/entitlements").status == 200) }
        #expect(server.services.notificationAdmission.bytes == 0)
        #expect(server.services.notificationAdmission.requests == 0)
        #expect(server.services.admission.requests == 0)
    }

    @Test func `reserve capacity for Apple's notifications`() async throws {
        try await withWaitingRequest(ServerLimits(requestsMax: 1)) { server in
            let refused = try await server.send(.get, "/v1/entitlements")
            #expect(refused.status == 503)
            let taken = try await server.notify(try server.apple.notification())
            #expect(taken.status == 200)
        }
    }

    @Test func `reject a notification that is larger than the configured limit`() async throws {
        let server = try await ServerFixture()
        let fits = "{\"signedPayload\":\"" + String(repeating: "x", count: (256 << 10) - 100) + "\"}"
        #expect(try await server.send(.post, "/v1/apple/notifications", key: nil, body: fits).status == 400)
        let tooLarge = fits + String(repeating: " ", count: 200)
        let answer = try await server.send(.post, "/v1/apple/notifications", key: nil, body: tooLarge)
        #expect(answer.status == 413)
        #expect(try answer.string("error", "message")?.contains("262144") == true)
        let larger = try await ServerFixture(limits: ServerLimits(notificationBytesMax: 1 << 20))
        #expect(try await larger.send(.post, "/v1/apple/notifications", key: nil, body: tooLarge).status == 400)
    }
}
