import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

/// Promises 1, 5, 6 and 9, at the notification URL.
@Suite struct `Apple's notifications` {
    @Test func `are durable byte for byte when Apple gets the 200`() async throws {
        let server = try await ServerFixture()
        let signed = try server.apple.notification()
        let answer = try await server.notify(signed)
        #expect(answer.status == 200)
        let id = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a10"
        #expect(try await server.storedNotifications() == ["notification:\(id)"])
        let stored = try await server.send(.get, "/v1/apple/notifications/\(id)")
        #expect(try stored.string("signed_payload") == signed)
    }

    @Test func `are answered 503 if they cannot be stored, and accepted on the retry`() async throws {
        let database = BrokenDatabase()
        let server = try await ServerFixture(database: database)
        let signed = try server.apple.notification()
        database.fill()
        let refused = try await server.notify(signed)
        #expect(refused.status == 503)
        #expect(try refused.errorCode() == "storage_full")
        #expect(try refused.bool("error", "retryable") == true)
        #expect(try await server.storedNotifications().isEmpty)
        database.makeRoom()
        #expect(try await server.notify(signed).status == 200)
        #expect(try await server.storedNotifications().count == 1)
    }

    @Test func `are answered 200 as duplicates and change nothing`() async throws {
        let server = try await ServerFixture()
        let signed = try server.apple.notification()
        #expect(try await server.notify(signed).bool("duplicate") == false)
        #expect(try await server.notify(signed).bool("duplicate") == true)
        #expect(try await server.storedNotifications().count == 1)
    }

    @Test func `are stored and answered 200 for an unknown type`() async throws {
        let server = try await ServerFixture()
        let signed = try server.apple.notification(type: NotificationType(rawValue: "INVENTED_TOMORROW"))
        #expect(try await server.notify(signed).status == 200)
        let list = try await server.send(.get, "/v1/apple/notifications")
        #expect(try list.count("data") == 1)
    }

    @Test func `are rejected and not stored if a byte was changed`() async throws {
        let server = try await ServerFixture()
        var bytes = Array(try server.apple.notification().utf8)
        let middle = bytes.count / 2
        bytes[middle] = bytes[middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        let answer = try await server.notify(String(decoding: bytes, as: UTF8.self))
        #expect(answer.status == 400)
        #expect(try answer.errorCode() != nil)
        #expect(try await server.storedNotifications().isEmpty)
    }

    @Test func `are rejected with the verifier's code if truncated`() async throws {
        let server = try await ServerFixture()
        let answer = try await server.notify(String(try server.apple.notification().prefix(5000)))
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "malformed_jws")
        #expect(try answer.string("error", "param") == "signedPayload")
    }

    @Test func `are rejected under a foreign root with any names`() async throws {
        let server = try await ServerFixture()
        let answer = try await server.notify(try SignedApple().notification())
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "chain_not_trusted")
    }

    @Test(arguments: [
        (SignedApple.period(bundle: "com.example.other"), "app_not_configured"),
        (SignedApple.period(environment: .xcode), "environment_mismatch"),
    ])
    func `are retried for an app that is not configured`(
        transaction: JWSTransactionDecodedPayload,
        code: String
    ) async throws {
        let server = try await ServerFixture()
        let answer = try await server.notify(try server.apple.notification(transaction: transaction))
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == code)
        #expect(try await server.storedNotifications().isEmpty)
    }

    @Test func `are retried if this version cannot read them`() async throws {
        let server = try await ServerFixture()
        let seats =
            #"{"notificationType":"UNCLAIM_SEATS","notificationUUID":"5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a10","#
            + #""version":"2.0","signedDate":1770000000000,"unclaimInfo":{"unclaimSeatIds":[]}}"#
        let answer = try await server.notify(try server.apple.authority.signer.sign(payload: Array(seats.utf8)))
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == "payload_malformed")
        #expect(try answer.bool("error", "retryable") == true)
    }

    @Test func `are rejected in production with another app's number`() async throws {
        let server = try await ServerFixture()
        let answer = try await server.notify(try server.apple.notification(appleID: 1))
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == "app_apple_id_mismatch")
    }

    @Test(arguments: [
        ("[]", 400, "malformed_json"),
        ("", 400, "malformed_json"),
        (#"{"signedPayload":"#, 400, "malformed_json"),
        (#"{"signedPayload":7}"#, 400, "parameter_invalid"),
        (#"{}"#, 400, "parameter_missing"),
        (#"{"notification_type":"DID_RENEW"}"#, 400, "notification_malformed"),
        (String(repeating: "[", count: 10_000), 400, "malformed_json"),
        (#"{"a":"# + String(repeating: "[", count: 10_000), 400, "malformed_json"),
        (#"{"signedPayload":""# + String(repeating: "A", count: 2 << 20) + #""}"#, 413, "body_too_large"),
    ])
    func `are rejected if the body is no notification`(body: String, status: Int, code: String) async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.post, "/v1/apple/notifications", key: nil, body: body)
        #expect(answer.status == status)
        #expect(try answer.errorCode() == code)
        let name = try #require(HTTPField.Name.requestID)
        #expect(try answer.string("error", "request_id") == answer.headers[name])
    }

    @Test func `of the sandbox never appear under a production key`() async throws {
        let server = try await ServerFixture()
        let sandbox = SignedApple.period(environment: .sandbox, token: "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e")
        #expect(try await server.notify(try server.apple.notification(transaction: sandbox)).status == 200)
        let path = "/v1/customers/0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
        #expect(try await server.send(.get, path).status == 404)
        #expect(try await server.send(.get, path, key: ServerFixture.sandboxSecret).status == 200)
        #expect(try await server.send(.get, "/v1/apple/notifications").count("data") == 0)
    }
}
