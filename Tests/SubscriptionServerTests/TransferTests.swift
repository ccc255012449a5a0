import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

/// Transfers of purchases between customers by an operator.
@Suite struct `Transfers` {
    private static let body = #"{"from":"u_1","to":"u_2","reason":"ticket 4711"}"#

    private static func server() async throws -> ServerFixture {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        return server
    }

    private static func hasAccess(_ customer: String, _ server: ServerFixture) async throws -> Bool {
        try await server.send(.get, "/v1/customers/\(customer)").bool("entitlements", "21000001", "active") ?? false
    }

    @Test func `move access and emit an event for both customers`() async throws {
        let server = try await Self.server()
        let seen = try await server.events().count
        let answer = try await server.send(.post, "/v1/transfers", body: Self.body)
        #expect(answer.status == 200)
        #expect(try answer.json()["purchase_ids"] == .array([.string("2000000000000001")]))
        #expect(try await !Self.hasAccess("u_1", server))
        #expect(try await Self.hasAccess("u_2", server))
        let events = try await server.events().dropFirst(seen)
        #expect(events.map(\.event.kind) == [.entitlementWithdrawn, .entitlementGranted])
        #expect(events.map(\.customerID?.rawValue) == ["u_1", "u_2"])
    }

    @Test func `survive later submissions, and renewals follow them`() async throws {
        let server = try await Self.server()
        _ = try await server.send(.post, "/v1/transfers", body: Self.body)
        let again = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        #expect(try again.errorCode() == "purchase_owned_by_another_customer")
        let token = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
        let renewal = SignedApple.period(id: "2000000000000002", token: token, signedAt: ServerFixture.now + 1)
        _ = try await server.notify(try server.apple.notification(transaction: renewal))
        #expect(try await server.send(.get, "/v1/customers/u_2").count("subscriptions") == 1)
        #expect(try await server.send(.get, "/v1/customers/\(token)").status == 404)
    }

    @Test func `remove access from a former sharer, and an undo restores it`() async throws {
        let server = try await Self.server()
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"share"}"#)
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_2")
        _ = try await server.send(.post, "/v1/transfers", body: Self.body)
        let moved = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_2","to":"u_3"}"#)
        #expect(try await !Self.hasAccess("u_2", server))
        #expect(try await Self.hasAccess("u_3", server))
        _ = try await server.send(.post, "/v1/transfers/\(try moved.string("id") ?? "")/undo")
        #expect(try await Self.hasAccess("u_2", server))
        #expect(try await !Self.hasAccess("u_3", server))
    }

    @Test func `are undone in favor of the source despite a newer account token`() async throws {
        let server = try await ServerFixture()
        let tokens = ["0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e", "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3f"]
        let first = SignedApple.period(token: tokens[0])
        _ = try await server.notify(try server.apple.notification(transaction: first))
        let body = #"{"from":"\#(tokens[0])","to":"u_2"}"#
        let moved = try await server.send(.post, "/v1/transfers", body: body)
        let renewal = SignedApple.period(id: "2000000000000002", token: tokens[1], signedAt: ServerFixture.now + 1)
        for number in 11...12 {
            let uuid = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a\(number)"
            _ = try await server.notify(try server.apple.notification(uuid, type: .didRenew, transaction: renewal))
            // The undo happens between two equal notifications.
            if number == 11 { _ = try await server.send(.post, "/v1/transfers/\(try moved.string("id") ?? "")/undo") }
            #expect(try await Self.hasAccess(tokens[0], server))
        }
        #expect(try await server.send(.get, "/v1/customers/\(tokens[1])").status == 404)
    }

    @Test func `are not undone for a purchase claimed since`() async throws {
        let server = try await Self.server()
        let first = try await server.send(.post, "/v1/transfers", body: Self.body)
        _ = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_2","to":"u_3"}"#)
        _ = try await server.send(.delete, "/v1/customers/u_3")
        #expect(try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_2").status == 200)
        let undone = try await server.send(.post, "/v1/transfers/\(try first.string("id") ?? "")/undo")
        #expect(try undone.errorCode() == "transfer_moved_on")
        #expect(try await Self.hasAccess("u_2", server))
    }

    @Test func `report the purchases in a dry run and move nothing`() async throws {
        let server = try await Self.server()
        let seen = try await server.events().count
        let body = #"{"from":"u_1","to":"u_2","dry_run":true}"#
        let answer = try await server.send(.post, "/v1/transfers", body: body)
        #expect(answer.status == 200)
        #expect(try answer.bool("dry_run") == true)
        #expect(try answer.count("purchase_ids") == 1)
        #expect(try answer.json()["id"] == .null)
        #expect(try await Self.hasAccess("u_1", server))
        #expect(try await server.events().count == seen)
        #expect(try await server.send(.get, "/v1/customers/u_2").status == 404)
    }

    @Test func `are fully reverted by an undo, and a second undo changes nothing`() async throws {
        let server = try await Self.server()
        let done = try await server.send(.post, "/v1/transfers", body: Self.body)
        let path = "/v1/transfers/" + (try #require(try done.string("id"))) + "/undo"
        let undone = try await server.send(.post, path)
        #expect(undone.status == 200)
        #expect(try undone.integer("undone_at") == ServerFixture.now)
        #expect(try await Self.hasAccess("u_1", server))
        #expect(try await !Self.hasAccess("u_2", server))
        let seen = try await server.events().count
        #expect(try await server.send(.post, path).json() == undone.json())
        #expect(try await server.events().count == seen)
        let stored = try await server.send(.get, "/v1/transfers/" + (try done.string("id") ?? ""))
        #expect(try stored.json() == undone.json())
        // The purchase belongs to its submitter again.
        let other = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_3")
        #expect(try other.errorCode() == "purchase_owned_by_another_customer")
        #expect(try await server.send(.post, "/v1/transfers/tr_x/undo").errorCode() == "transfer_not_found")
    }

    @Test func `are not undone for a purchase moved again since`() async throws {
        let server = try await Self.server()
        let first = try await server.send(.post, "/v1/transfers", body: Self.body)
        let second = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_2","to":"u_3"}"#)
        let undoFirst = "/v1/transfers/" + (try first.string("id") ?? "") + "/undo"
        let tooEarly = try await server.send(.post, undoFirst)
        #expect(tooEarly.status == 409)
        #expect(try tooEarly.errorCode() == "transfer_moved_on")
        #expect(try await Self.hasAccess("u_3", server))
        #expect(try await !Self.hasAccess("u_1", server))

        // Both can be undone in reverse order.
        let undoSecond = "/v1/transfers/" + (try second.string("id") ?? "") + "/undo"
        #expect(try await server.send(.post, undoSecond).status == 200)
        #expect(try await server.send(.post, undoFirst).status == 200)
        #expect(try await Self.hasAccess("u_1", server))
        #expect(try await !Self.hasAccess("u_2", server))
    }

    @Test func `undo only the last of several moves between two customers`() async throws {
        let server = try await Self.server()
        var ids: [String] = []
        for (from, to) in [("u_1", "u_2"), ("u_2", "u_1"), ("u_1", "u_2")] {
            let done = try await server.send(.post, "/v1/transfers", body: #"{"from":"\#(from)","to":"\#(to)"}"#)
            ids.append(try #require(try done.string("id")))
        }
        let tooEarly = try await server.send(.post, "/v1/transfers/\(ids[0])/undo")
        #expect(try tooEarly.errorCode() == "transfer_moved_on")
        for (id, owner) in [(ids[2], "u_1"), (ids[1], "u_2"), (ids[0], "u_1")] {
            #expect(try await server.send(.post, "/v1/transfers/\(id)/undo").status == 200)
            #expect(try await Self.hasAccess(owner, server))
        }
    }

    @Test func `move only the named purchases`() async throws {
        let server = try await Self.server()
        let other = "2000000000000077"
        _ = try await server.submit(
            try server.apple.sign(SignedApple.period(id: other, original: other)),
            customer: "u_1"
        )
        let body = #"{"from":"u_1","to":"u_2","purchase_ids":["\#(other)"]}"#
        #expect(try await server.send(.post, "/v1/transfers", body: body).status == 200)
        #expect(try await server.send(.get, "/v1/customers/u_1").count("subscriptions") == 1)
        #expect(try await server.send(.get, "/v1/customers/u_2").count("subscriptions") == 1)
    }

    @Test func `link an unowned purchase to a customer, and the link can be undone`() async throws {
        let server = try await ServerFixture()
        _ = try await server.notify(try server.apple.notification())
        let body = #"{"to":"u_1","purchase_ids":["2000000000000001"]}"#
        let linked = try await server.send(.post, "/v1/transfers", body: body)
        #expect(linked.status == 200)
        #expect(try linked.json()["from"] == .null)
        #expect(try await Self.hasAccess("u_1", server))
        let other = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_2")
        #expect(try other.errorCode() == "purchase_owned_by_another_customer")
        let path = "/v1/transfers/" + (try #require(try linked.string("id")))
        #expect(try await server.send(.post, path + "/undo").status == 200)
        #expect(try await !Self.hasAccess("u_1", server))
        #expect(try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_2").status == 200)
    }

    @Test(arguments: [
        (#"{"from":"u_1"}"#, 400, "parameter_missing"),
        (#"{"to":"u_1"}"#, 400, "parameter_missing"),
        (#"{"to":"u_2","purchase_ids":["2000000000000001"]}"#, 404, "purchase_not_found"),
        (#"{"from":"u_1","to":"u_1"}"#, 400, "transfer_to_the_same_customer"),
        (#"{"from":"u_9","to":"u_1"}"#, 409, "nothing_to_transfer"),
        (#"{"from":"u_1","to":"u_2","purchase_ids":["9"]}"#, 404, "purchase_not_found"),
        (#"{"from":"u_1","to":"u_2","purchase_ids":[]}"#, 400, "parameter_invalid"),
        (#"{"from":"u_1","to":"u_2","dry_run":"yes"}"#, 400, "parameter_invalid"),
    ])
    func `reject an invalid request with its error code`(body: String, status: Int, code: String) async throws {
        let server = try await Self.server()
        let answer = try await server.send(.post, "/v1/transfers", body: body)
        #expect(answer.status == status)
        #expect(try answer.errorCode() == code)
        #expect(try await Self.hasAccess("u_1", server))
    }

    @Test func `require a secret key`() async throws {
        let server = try await Self.server()
        let answer = try await server.send(.post, "/v1/transfers", key: ServerFixture.publishable, body: Self.body)
        #expect(answer.status == 403)
    }
}
