import CoreMetrics
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import Testing

/// `/metrics` in the text format of Prometheus, with a bounded number of labels.
@Suite struct `The server's metrics` {
    /// The value of the line with this name and labels.
    private static func value(_ line: String, in text: String) -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix(line + " ") }
            .flatMap { Double($0.dropFirst(line.utf8.count + 1)) }
    }

    private static func text(_ server: ServerFixture) async throws -> String {
        let answer = try await server.send(.get, "/metrics", key: nil)
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        return String(decoding: answer.bytes, as: UTF8.self)
    }

    @Test func `count requests by route, method and status class`() async throws {
        let server = try await ServerFixture()
        for _ in 0..<3 { _ = try await server.send(.get, "/v1/customers/nobody") }
        _ = try await server.send(.get, "/v1/entitlements")
        let text = try await Self.text(server)
        let missing = #"{method="GET",route="/v1/customers/{app_user_id}",status="4xx"}"#
        #expect(Self.value("perennial_http_requests_total" + missing, in: text) == 3)
        #expect(Self.value("perennial_http_request_duration_seconds_count" + missing, in: text) == 3)
        let found = #"{method="GET",route="/v1/entitlements",status="2xx"}"#
        #expect(Self.value("perennial_http_requests_total" + found, in: text) == 1)
        #expect(Self.value("perennial_http_requests_in_progress", in: text) == 1)
    }

    @Test func `include the version as a label`() async throws {
        let text = try await Self.text(try await ServerFixture())
        #expect(Self.value("perennial_build_info{version=\"\(ProgramVersion.current)\"}", in: text) == 1)
    }

    @Test func `have no labels for unknown routes`() async throws {
        let server = try await ServerFixture()
        for number in 0..<20 {
            _ = try await server.send(.get, "/stranger\(number)", key: nil)
            let method = try #require(HTTPRequest.Method("STRANGER\(number)"))
            _ = try await server.send(method, "/v1/customers/stranger\(number)")
        }
        let text = try await Self.text(server)
        #expect(!text.contains("stranger"))
        #expect(!text.contains("STRANGER"))
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("perennial_http_requests_total{") }.count <= 3)
    }

    @Test func `count verifications by result and commits by size, and time transactions`() async throws {
        let server = try await ServerFixture()
        _ = try await server.notify(try server.apple.notification())
        _ = try await server.notify("not.a.jws")
        let text = try await Self.text(server)
        let verified = #"perennial_verifications_total{kind="notification",result="verified"}"#
        #expect(Self.value(verified, in: text) == 1)
        #expect(Self.value(verified.replacing("verified\"}", with: "malformed_jws\"}"), in: text) == 1)
        #expect(Self.value("perennial_commit_notifications_sum", in: text) == 1)
        #expect(Self.value("perennial_commit_duration_seconds_count", in: text) == 1)
        #expect(Self.value(#"perennial_storage_duration_seconds_count{access="write"}"#, in: text) == 1)
        #expect(Self.value(#"perennial_queue_waiting{queue="commit"}"#, in: text) == 0)
        #expect(Self.value("perennial_database_up", in: text) == 1)
    }

    @Test func `report the age of the oldest due work as the lag`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        #expect(Self.value("perennial_due_oldest_seconds", in: try await Self.text(server)) == 0)
        let end = ServerFixture.now + 30 * 86_400_000
        server.time.advance(to: Timestamp(milliseconds: end + 90_500))
        #expect(Self.value("perennial_due_oldest_seconds", in: try await Self.text(server)) == 90.5)
    }

    @Test func `report an unresponsive database, and all other values`() async throws {
        let database = FrozenDatabase()
        let clock = ImmediateClock()
        let server = try await ServerFixture(database: database, waiting: clock)
        database.freeze()
        let text = try await Self.text(server)
        #expect(Self.value("perennial_database_up", in: text) == 0)
        #expect(Self.value("perennial_http_requests_in_progress", in: text) == 1)
        #expect(clock.now.elapsed == .seconds(5))
        let ready = try await server.send(.get, "/readyz", key: nil)
        #expect(ready.status == 503)
        #expect(try ready.errorCode() == "storage_timed_out")

        database.thaw()
        clock.blockSleeps()
        #expect(Self.value("perennial_database_up", in: try await Self.text(server)) == 1)
        #expect(try await server.send(.get, "/readyz", key: nil).status == 200)
    }

    @Test func `query an unresponsive database once for any number of scrapes`() async throws {
        let database = FrozenDatabase()
        let clock = ImmediateClock()
        let server = try await ServerFixture(database: database, waiting: clock)
        database.freeze()
        for _ in 0..<50 {
            #expect(try await server.send(.get, "/readyz", key: nil).status == 503)
            #expect(try await server.send(.get, "/metrics", key: nil).status == 200)
        }
        // A query runs in a task of its own, which may begin late.
        try await ServerFixture.until { database.waiting >= 2 }
        #expect(database.waiting == 2)
        clock.blockSleeps()
        database.thaw()
        #expect(try await server.send(.get, "/readyz", key: nil).status == 200)
        #expect(Self.value("perennial_database_up", in: try await Self.text(server)) == 1)
        #expect(database.waiting == 0)
    }

    @Test func `accumulate buckets, escape labels and keep metric kinds apart`() {
        let registry = MetricsRegistry(buckets: ["sizes": [1, 2.5]])
        let recorder = Recorder(label: "sizes", dimensions: [("a", "x\"\\\n")], aggregate: true, factory: registry)
        for size in [1, 2, 3, 2.5] { recorder.record(size) }
        Counter(label: "sizes", dimensions: [], factory: registry).increment(by: 7)
        let label = #"a="x\"\\\n""#
        let expected = """
            # TYPE perennial_metrics_series_dropped_total counter
            perennial_metrics_series_dropped_total 1
            # TYPE sizes histogram
            sizes_bucket{\(label),le="1"} 1
            sizes_bucket{\(label),le="2.5"} 3
            sizes_bucket{\(label),le="+Inf"} 4
            sizes_sum{\(label)} 8.5
            sizes_count{\(label)} 4

            """
        #expect(registry.text() == expected)
    }

    @Test func `bound the series per name and count the dropped ones`() {
        let registry = MetricsRegistry()
        for number in 0..<1_000 {
            Counter(label: "n", dimensions: [("i", "\(number)")], factory: registry).increment(by: 1)
        }
        let lines = registry.text().split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("n{") }.count == 400)
        #expect(lines.contains("perennial_metrics_series_dropped_total 600"))
    }
}
