import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// What the developer's backend reports about purchases.
@Suite struct `Consumption reports` {
    private typealias Scene = RefundRequestScene

    @Test func `replace one another`() async throws {
        let scene = try await Scene()
        #expect(try await scene.server.send(.get, Scene.route).errorCode() == "consumption_not_reported")
        #expect(try await scene.report().status == 200)
        #expect(try await scene.report(#"{"sample_content_provided":true}"#).status == 200)
        let report = try await scene.server.send(.get, Scene.route).json()
        #expect(report["customer_consented"] == .null && report["consumption_percentage"] == .null)
        #expect(report["sample_content_provided"] == true)
        #expect(report["purchase_id"] == .string(Scene.coins))
    }

    @Test(arguments: [
        (#"{"consumption_percentage":100001}"#, "consumption_percentage_invalid"),
        (#"{"consumption_percentage":-1}"#, "consumption_percentage_invalid"),
        (#"{"consumption_percentage":1,"delivery_status":"undelivered_other"}"#, "consumption_percentage_invalid"),
        (#"{"consumption_percentage":0.5}"#, "parameter_invalid"),
        (#"{"delivery_status":"lost"}"#, "parameter_invalid"),
        (#"{"customer_consented":"yes"}"#, "parameter_invalid"),
        (#"{"consented":true}"#, "parameter_unknown"),
    ])
    func `are refused with a reason`(body: String, code: String) async throws {
        let answer = try await Scene().report(body)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == code)
    }

    @Test func `are not called missing if they came in time, and the server was off until the end`() async throws {
        let scene = try await Scene()
        try await scene.request()
        await scene.settle()
        #expect(try await scene.shown()["error"]?.objectValue?["code"] == "no_consent")
        #expect(try await scene.report().status == 200)
        await scene.settle(afterHours: 12)
        let shown = try await scene.shown()
        #expect(shown["state"] == "expired" && shown["error"]?.objectValue?["code"] == "deadline_passed")
        #expect(scene.sent == 0)
    }

    @Test func `have no percentage for a subscription`() async throws {
        let scene = try await Scene()
        let period = try scene.server.apple.sign(Sample.period(0, signed: 1))
        #expect(try await scene.server.submit(period, customer: "u_1").status == 200)
        let answer = try await scene.server.send(
            .put,
            "/v1/purchases/\(Sample.original)/consumption",
            body: #"{"consumption_percentage":1}"#
        )
        #expect(try answer.errorCode() == "consumption_percentage_invalid")
    }

    @Test func `need a secret key and a known purchase`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report(key: ServerFixture.publishable).status == 403)
        #expect(try await scene.report(key: ServerFixture.sandboxSecret).errorCode() == "purchase_unknown")
    }

    @Test func `leave an entry in the audit log for each change of consent`() async throws {
        let scene = try await Scene()
        for _ in 0..<2 { #expect(try await scene.report().status == 200) }
        await scene.settle(afterHours: 1)
        #expect(try await scene.report(#"{"customer_consented":false}"#).status == 200)
        let entries = try await scene.entries().filter { $0.action == "consumption.consent_recorded" }
        #expect(entries.count == 2)
        #expect(entries.first?.before == #"{"customer_consented":true}"#)
        #expect(entries.first?.after == #"{"customer_consented":false}"#)
        #expect(entries.allSatisfy { $0.requestID != nil })
    }

    @Test func `leave no entry in the audit log for what a backend reports, except about consent`() async throws {
        let scene = try await Scene()
        let bodies = [
            #"{"delivery_status":"delivered","consumption_percentage":50000,"sample_content_provided":true}"#,
            #"{"delivery_status":"delivered","consumption_percentage":60000,"sample_content_provided":true}"#,
            #"{"delivery_status":"undelivered_other"}"#,
        ]
        for body in bodies { #expect(try await scene.report(body).status == 200) }
        #expect(try await scene.entries().isEmpty)
        #expect(try await scene.report().status == 200)
        #expect(try await scene.entries().map(\.action) == ["consumption.consent_recorded"])
    }

    @Test func `are exported with their customer, beside the refund requests`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        await scene.settle()
        func exported(_ customer: String) async throws -> JSONObject {
            let export = try await scene.server.send(.get, "/v1/customers/\(customer)/export")
            return try #require(try export.objects("purchases").first { $0["id"] == .string(Scene.coins) })
        }
        let report = try await scene.server.send(.get, Scene.route).json()
        let request = try await scene.shown()
        let purchase = try await exported("u_1")
        #expect(purchase["consumption"] == .object(report))
        #expect(purchase["refund_requests"] == .array([.object(request)]))
        let body = #"{"from":"u_1","to":"u_2","purchase_ids":["\#(Scene.coins)"]}"#
        #expect(try await scene.server.send(.post, "/v1/transfers", body: body).status < 300)
        // What is known about the first owner is not the second one's.
        let moved = try await exported("u_2")
        #expect(moved["consumption"] == .null)
        #expect(moved["refund_requests"]?.arrayValue?.first?.objectValue?["facts"] == .null)
        #expect(try await scene.shown()["answer"] == "decline")
    }

    @Test func `are gone when the purchase has another owner, who is asked for consent again`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report(#"{"customer_consented":false}"#).status == 200)
        try await scene.request()
        await scene.settle()
        let body = #"{"from":"u_1","to":"u_2","purchase_ids":["\#(Scene.coins)"]}"#
        #expect(try await scene.server.send(.post, "/v1/transfers", body: body).status < 300)
        #expect(try await scene.server.send(.get, Scene.route).errorCode() == "consumption_not_reported")
        await scene.settle(afterHours: 1)
        #expect(try await scene.shown()["state"] == "waiting" && scene.sent == 0)
        #expect(try await scene.report().status == 200)
        await scene.settle(afterHours: 2)
        #expect(try await scene.shown()["state"] == "answered" && scene.sent == 1)
    }

    @Test func `stay when the owner becomes an alias of another identifier`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        let path = "/v1/customers/u_account/aliases"
        #expect(try await scene.server.send(.post, path, body: #"{"alias":"u_1"}"#).status < 300)
        try await scene.request()
        await scene.settle()
        #expect(try await scene.shown()["state"] == "answered" && scene.sent == 1)
    }

    @Test func `are erased with their customer`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        await scene.settle()
        #expect(try await scene.shown()["facts"] != .null)
        #expect(try await scene.server.send(.delete, "/v1/customers/u_1").status < 300)
        #expect(try await scene.shown()["facts"] == .null)
        #expect(try await scene.server.send(.get, Scene.route).errorCode() == "consumption_not_reported")
    }
}
