import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import HTTPTypes
import Logging
import SubscriptionCore
import SubscriptionStorage
import Testing

/// Data that a trusted root signed and this version cannot read needs an operator.
@Suite struct `Signed data that cannot be read` {
    private static func server(_ lines: RecordingLogHandler.Lines) async throws -> ServerFixture {
        try await ServerFixture(logger: Logger(label: "test") { _ in RecordingLogHandler(lines: lines) })
    }

    /// A transaction whose price is a string.
    private static func transaction(_ server: ServerFixture) throws -> String {
        var object = SignedApple.period().json
        object["price"] = "9.99"
        return try server.apple.authority.signer.sign(payload: object.serialize())
    }

    @Test func `is logged with field and bundle ID when the App Store sent it`() async throws {
        let lines = RecordingLogHandler.Lines()
        let server = try await Self.server(lines)
        var data = NotificationData(bundleId: ServerFixture.bundle, environment: .production)
        data.appAppleId = ServerFixture.appleID
        data.signedTransactionInfo = try Self.transaction(server)
        let body = ResponseBodyV2DecodedPayload(
            notificationType: .didRenew,
            notificationUUID: "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a10",
            version: "2.0",
            signedDate: ServerFixture.now,
            data: data
        )
        let answer = try await server.notify(try server.apple.sign(body))
        #expect(answer.status == 503, "the App Store tries again, perhaps with a newer version of this server")
        let matches = lines.all.filter { $0.contains("data.signedTransactionInfo.price") }
        #expect(matches.count == 1)
        #expect(matches.allSatisfy { $0.contains(ServerFixture.bundle) && $0.hasPrefix("error") })
        #expect(!lines.all.contains { $0.contains("9.99") })
    }

    @Test func `is logged with field and bundle ID when an app sent it`() async throws {
        let lines = RecordingLogHandler.Lines()
        let server = try await Self.server(lines)
        let answer = try await server.submit(try Self.transaction(server), customer: "u_1")
        #expect(answer.status == 400)
        let matches = lines.all.filter { $0.contains("field price") && $0.contains(ServerFixture.bundle) }
        #expect(matches.count == 1)
    }

    @Test func `is not data with a missing quantity, a fraction of zero or an empty subtype`() async throws {
        let server = try await ServerFixture()
        var transaction = SignedApple.period().json
        transaction["quantity"] = nil
        transaction["price"] = .decimal("9990.0")
        var data = NotificationData(bundleId: ServerFixture.bundle, environment: .production)
        data.appAppleId = ServerFixture.appleID
        data.signedTransactionInfo = try server.apple.authority.signer.sign(payload: transaction.serialize())
        var body = ResponseBodyV2DecodedPayload(
            notificationType: .subscribed,
            notificationUUID: "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a10",
            version: "2.0",
            signedDate: ServerFixture.now,
            data: data
        ).json
        body["subtype"] = ""
        let signed = try server.apple.authority.signer.sign(payload: body.serialize())
        #expect(try await server.notify(signed).status == 200)
        let events = try await server.events()
        #expect(events.first?.event.price?.milliunits == 9990)
        let unknown = try await server.send(.get, "/v1/apple/unknown_notifications")
        #expect(try unknown.count("data") == 0)
    }
}
