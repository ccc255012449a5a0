import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// An operator finishes a transaction through Apple.
@Suite struct `A transaction that an operator finishes` {
    private static let renewal = "2000000000000002"
    private static let route = "/v1/transactions/\(renewal)/finish"
    private static let applesPath = "/inApps/v1/transactions/\(renewal)/finish"

    /// A server with a renewed subscription, and an App Store that finishes the renewal.
    private struct Scene {
        let store = ScriptedAppStore()
        let server: ServerFixture

        init(limits: AppStoreLimits = AppStoreLimits()) async throws {
            server = try await ServerFixture(appStore: store, appStoreLimits: limits)
            server.time.advance(to: Timestamp(milliseconds: Sample.time(31)))
            for number: Int64 in 0...1 {
                let signed = try server.apple.sign(Sample.period(number, signed: 30 * number))
                #expect(try await server.submit(signed, customer: "u_1").status == 200)
            }
            store.accept(applesPath)
        }

        func finish(_ path: String = route, headers: HTTPFields = [:], body: String? = nil) async throws -> Answer {
            try await server.send(.post, path, headers: headers, body: body)
        }

        func entries() async throws -> [AuditEntry] {
            try await server.database.read { storage throws(StorageError) in
                try storage.auditEntries(of: ServerFixture.app, about: "purchase:\(Sample.original)", limit: 100)
            }
        }

        func audited() async throws -> [String] { try await entries().map(\.action).sorted() }
    }

    @Test func `is finished by Apple, and is in the audit log with who, what and the request`() async throws {
        let scene = try await Scene()
        let answer = try await scene.finish()
        #expect(answer.status == 200)
        #expect(
            try answer.json() == [
                "object": "finished_transaction", "transaction_id": .string(Self.renewal),
                "purchase_id": .string(Sample.original),
            ]
        )
        #expect(scene.store.requestedPaths == [Self.applesPath])
        #expect(scene.store.lastBody(of: Self.applesPath) == nil)
        let entries = try await scene.entries()
        #expect(entries.map(\.action).sorted() == ["transaction.finish_requested", "transaction.finished"])
        let name = try #require(HTTPField.Name("x-request-id"))
        for entry in entries {
            #expect(entry.actor.hasPrefix("key sk_…"))
            #expect(entry.requestID != nil && entry.requestID == answer.headers[name])
            #expect(entry.occurredAt == scene.server.time.now())
            #expect(entry.before == nil)
            #expect(entry.after == #"{"transaction_id":"\#(Self.renewal)"}"#)
        }
    }

    @Test func `can be finished again, and once under an Idempotency-Key`() async throws {
        let scene = try await Scene()
        for _ in 1...2 { #expect(try await scene.finish(body: "{}").status == 200) }
        #expect(scene.store.requestedPaths.count == 2)
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        for _ in 1...2 { #expect(try await scene.finish(headers: [name: "k"]).status == 200) }
        #expect(scene.store.requestedPaths.count == 3)
    }

    @Test func `is in the audit log before Apple is asked`() async throws {
        let scene = try await Scene()
        scene.store.setSilent(true)
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await scene.finish().status }
            try await ServerFixture.until { !scene.store.requestedPaths.isEmpty }
            #expect(try await scene.audited() == ["transaction.finish_requested"])
            scene.store.setSilent(false)
            #expect(try await group.next() == 200)
        }
    }

    @Test(arguments: [
        (404, Int64(4_040_010), 404, "transaction_not_found", false),
        (400, 4_000_006, 400, "app_store_refused", false), (429, 4_290_000, 503, "app_store_rate_limited", true),
        (500, 5_000_001, 503, "app_store_answer_lost", true), (404, 4_040_002, 503, "app_store_unavailable", true),
    ])
    func `is not finished if Apple refuses it, and the audit log says so`(
        status: Int,
        code: Int64,
        answered: Int,
        error: String,
        isRetryable: Bool
    ) async throws {
        let scene = try await Scene()
        scene.store.refuse(Self.applesPath, status: status, code: code)
        let answer = try await scene.finish()
        #expect(answer.status == answered)
        #expect(try answer.errorCode() == error)
        #expect(try answer.bool("error", "retryable") == isRetryable)
        let failed = try await scene.entries().filter { $0.action == "transaction.finish_failed" }
        #expect(failed.map(\.after) == [#"{"transaction_id":"\#(Self.renewal)","error":"\#(error)"}"#])
        #expect(try await scene.audited() == ["transaction.finish_failed", "transaction.finish_requested"])
    }

    @Test func `may be asked for again after a lost answer`() async throws {
        let scene = try await Scene(limits: AppStoreLimits(lookupMillisecondsMax: 2_000))
        scene.store.setSilent(true)
        #expect(try await scene.finish().errorCode() == "app_store_answer_lost")
        scene.store.setSilent(false)
        #expect(try await scene.finish().status == 200)
    }

    @Test func `needs a known purchase, a secret key and an empty body`() async throws {
        let scene = try await Scene()
        let unknown = try await scene.finish("/v1/transactions/7/finish")
        #expect(unknown.status == 404)
        #expect(try unknown.errorCode() == "purchase_unknown")
        #expect(try await scene.finish(body: #"{"dry_run":true}"#).status == 400)
        let publishable = try await scene.server.send(.post, Self.route, key: ServerFixture.publishable)
        #expect(publishable.status == 403)
        #expect(scene.store.requestedPaths.isEmpty)
        #expect(try await scene.entries().isEmpty)
    }
}
