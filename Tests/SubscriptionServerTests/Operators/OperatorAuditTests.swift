import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// What only people have in the audit log: backends do it all the time.
@Suite struct `The audit log of a person` {
    private static let attributes = "/v1/customers/u_1/attributes"

    @Test func `has the attributes that the person changed, until the customer is erased`() async throws {
        let scene = try await OperatorScene()
        let key = try await scene.addKey("anna", role: .operator)
        let set = #"{"attributes":{"plan":"old","team":"red"}}"#
        #expect(try await scene.server.send(.put, Self.attributes, body: set).status == 200)
        func entries() async throws -> [AuditEntry] {
            try await scene.audit().filter { $0.action == "attributes.changed" }
        }
        #expect(try await entries().isEmpty)
        for _ in 0..<2 {
            let body = #"{"attributes":{"plan":"new","team":"red","city":null}}"#
            #expect(try await scene.send(.patch, Self.attributes, key: key, body: body).status == 200)
        }
        let changed = try await entries()
        #expect(changed.count == 1)
        #expect(changed.first?.actor == "operator anna (operator)")
        #expect(changed.first?.target == "customer:u_1")
        #expect(changed.first?.before == #"{"attributes":{"plan":"old"}}"#)
        #expect(changed.first?.after == #"{"attributes":{"plan":"new"}}"#)
        let replaced = try await scene.send(.put, Self.attributes, key: key, body: #"{"attributes":{"team":"red"}}"#)
        #expect(replaced.status == 200)
        #expect(try await entries().contains { $0.after == #"{"attributes":{}}"# })
        #expect(try await scene.send(.delete, "/v1/customers/u_1", key: key).status == 200)
        let erased = try await entries()
        #expect(erased.count == 2)
        #expect(erased.allSatisfy { $0.target == "customer (erased)" && $0.before == nil && $0.after == nil })
        let database = scene.server.database
        let check = try await AuditVerification(database: database).check(ServerFixture.app, containing: [])
        #expect(check.findings == [] && check.erased == 2)
    }

    @Test func `has the entitlement tokens that the person got`() async throws {
        let scene = try await OperatorScene()
        let key = try await scene.addKey("anna", role: .support)
        let period = SignedApple.period(id: "2000000000000001", original: "2000000000000001")
        let signed = try scene.server.apple.sign(period)
        #expect(try await scene.server.submit(signed, customer: "u_1").status == 200)
        let path = "/v1/customers/u_1/entitlement_token"
        #expect(try await scene.server.send(.post, path).status == 200)
        let before = try await scene.audit().filter { $0.action == "entitlement_token.issued" }
        #expect(before.isEmpty)
        let answer = try await scene.send(.post, path, key: key)
        #expect(answer.status == 200)
        let issued = try await scene.audit().filter { $0.action == "entitlement_token.issued" }
        #expect(issued.map(\.target) == ["customer:u_1"])
        #expect(issued.map(\.actor) == ["operator anna (support)"])
        let end = try #require(try answer.integer("expires_at"))
        #expect(issued.first?.after == #"{"expires_at":\#(end)}"#)
        let token = try #require(try answer.string("token"))
        #expect(issued.allSatisfy { $0.after?.contains(token) == false })
        #expect(try await scene.send(.post, "/v1/customers/nobody/entitlement_token", key: key).status == 404)
    }

    @Test func `has what the person reported about a purchase`() async throws {
        let scene = try await OperatorScene()
        let key = try await scene.addKey("anna", role: .support)
        let period = SignedApple.period(id: "2000000000000001", original: "2000000000000001")
        let signed = try scene.server.apple.sign(period)
        #expect(try await scene.server.submit(signed, customer: "u_1").status == 200)
        let path = "/v1/purchases/2000000000000001/consumption"
        func entries() async throws -> [AuditEntry] {
            try await scene.audit().filter { $0.action == "consumption.reported" }
        }
        let first = #"{"delivery_status":"delivered"}"#
        #expect(try await scene.server.send(.put, path, body: first).status == 200)
        #expect(try await entries().isEmpty)
        let second = #"{"delivery_status":"undelivered_other","sample_content_provided":true}"#
        // The repeated report changes nothing.
        for _ in 0..<2 { #expect(try await scene.send(.put, path, key: key, body: second).status == 200) }
        let reported = try await entries()
        #expect(reported.map(\.actor) == ["operator anna (support)"])
        #expect(reported.map(\.target) == ["purchase:2000000000000001"])
        #expect(reported.first?.before == first && reported.first?.after == second)
        #expect(reported.first?.requestID != nil)
    }
}
