import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

@Suite struct `The routes of recovery windows` {
    private static let path = "/v1/recovery/windows"

    @Test func `make a window that a server compares`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(10)
        let (server, _) = try await scene.server(RecoverySettings(isAutomatic: false))
        let body = #"{"from":\#(RecoveryScene.start),"to":\#(ServerFixture.now + 1_000)}"#
        let headers: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "one"]
        let made = try await server.send(.post, Self.path, headers: headers, body: body)
        #expect(made.status == 202)
        let id = try #require(try made.string("id"))
        #expect(try made.string("state") == "running")
        #expect(try made.json()["to"] == .integer(ServerFixture.now), "a later time counts as now")
        let copy = try await server.send(.post, Self.path, headers: headers, body: body)
        #expect(try copy.string("id") == id)

        try await server.services.recovery.settle()
        let window = try await server.send(.get, "\(Self.path)/\(id)").json()
        #expect(window["state"] == .string("finished"))
        #expect(window["recovered"] == .integer(10))
        #expect(window["missing"] == .integer(0))
        #expect(window["bundle_id"] == .string(ServerFixture.bundle))
        #expect(window["environment"] == .string("production"))
        #expect(try await server.events().map(\.event.kind).contains(.recoveryFinished))

        let second = try await server.send(.post, Self.path, body: body)
        let page = try await server.send(.get, Self.path + "?limit=1").json()
        #expect(page["has_more"] == .bool(true))
        let cursor = try #require(page["next_cursor"]?.stringValue)
        let rest = try await server.send(.get, Self.path + "?limit=1&after=\(cursor)").json()
        #expect(rest["has_more"] == .bool(false))
        let both = [page, rest].compactMap { $0["data"]?.arrayValue?.first?.objectValue?["id"]?.stringValue }
        #expect(Set(both) == [id, try #require(try second.string("id"))])
    }

    @Test(
        arguments: [
            (#"{}"#, "parameter_missing"), (#"{"from":1}"#, "parameter_missing"),
            (#"{"from":1,"to":null}"#, "parameter_missing"), (#"{"from":1,"to":true}"#, "parameter_invalid"),
            (#"{"from":"yesterday","to":2}"#, "parameter_invalid"), (#"{"from":1,"to":2,"x":3}"#, "parameter_unknown"),
            (#"{"from":1,"to":2}"#, "recovery_window_too_old"),
            (#"{"from":1769999999999,"to":1769999999999}"#, "recovery_window_invalid"),
            (#"{"from":1779999999999,"to":1789999999999}"#, "recovery_window_invalid"),
            (#"{"from":-9223372036854775808,"to":9223372036854775807}"#, "parameter_invalid"),
            (#"{"from":0,"to":9223372036854775807}"#, "recovery_window_too_old"),
        ]
    )
    func `refuse a wrong window`(body: String, code: String) async throws {
        let (server, _) = try await RecoveryScene().server()
        let answer = try await server.send(.post, Self.path, body: body)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == code)
    }

    @Test func `need a secret key, an API key of Apple, and a known window`() async throws {
        let (server, _) = try await RecoveryScene().server()
        let body = #"{"from":1769999000000,"to":1769999999999}"#
        let publishable = try await server.send(.post, Self.path, key: ServerFixture.publishable, body: body)
        #expect(publishable.status == 403)
        #expect(try await server.send(.get, Self.path, key: ServerFixture.publishable).status == 403)
        #expect(try await server.send(.get, Self.path, key: nil).status == 401)
        let sandbox = try await server.send(.post, Self.path, key: ServerFixture.sandboxSecret, body: body)
        #expect(try sandbox.errorCode() == "app_store_api_not_configured")
        #expect(try await server.send(.get, Self.path + "/rw_none").errorCode() == "recovery_window_not_found")
        #expect(try await server.send(.get, Self.path + "?after=rw_none").errorCode() == "recovery_window_not_found")
        #expect(try await server.send(.get, Self.path + "?limit=0").errorCode() == "parameter_invalid")
        // Production windows are not shown to the sandbox.
        let made = try await server.send(.post, Self.path, body: body)
        let id = try #require(try made.string("id"))
        #expect(try await server.send(.get, "\(Self.path)/\(id)", key: ServerFixture.sandboxSecret).status == 404)
    }

    @Test func `accept only so many waiting windows`() async throws {
        let scene = try await RecoveryScene()
        scene.history.setAway(true)
        let (server, _) = try await scene.server()
        let body = #"{"from":1769999000000,"to":1769999999999}"#
        for _ in 0..<RecoveryWindows.waitingMax {
            #expect(try await server.send(.post, Self.path, body: body).status == 202)
        }
        #expect(try await server.send(.post, Self.path, body: body).errorCode() == "recovery_busy")
    }
}
