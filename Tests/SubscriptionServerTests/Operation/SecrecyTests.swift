import AppStoreModel
import HTTPTypes
import Logging
import SubscriptionServer
import Testing

/// The log contains data for operators, and no customer data or secrets.
@Suite struct `The log` {
    @Test func `contains no identifier, key, token or payload for any request or failure`() async throws {
        let lines = RecordingLogHandler.Lines()
        let database = BrokenDatabase()
        let server = try await ServerFixture(
            database: database,
            logger: Logger(label: "test") { _ in RecordingLogHandler(lines: lines) }
        )
        let customer = "customer-secret-1"
        let token = "0f2e6f0a-2d7e-4d0b-8a11-5ec2e75ec2e7"
        let payload = try server.apple.notification(transaction: SignedApple.period(token: token))
        let signed = try server.apple.sign(SignedApple.period())
        for isFull in [false, true] {
            if isFull { database.fill() }
            _ = try await server.notify(payload)
            _ = try await server.notify("payload-secret-2.x.y")
            _ = try await server.submit(signed, customer: customer)
            for method in [HTTPRequest.Method.get, .post, .put, .delete] {
                for path in [
                    "", "/entitlements", "/timeline", "/grants", "/grants/grant-secret-3", "/export",
                    "?as_of=query-secret-4",
                ] {
                    for key in [ServerFixture.secret, "sk_key-secret-5aaaaaaaaaaaaa"] {
                        let headers: HTTPFields = [.ifNoneMatch: "header-secret-6"]
                        let body = #"{"entitlement_id":"e","reason":"body-secret-7"}"#
                        let path = "/v1/customers/\(customer)\(path)"
                        _ = try await server.send(method, path, key: key, headers: headers, body: body)
                    }
                }
            }
            let transfer = #"{"from":"\#(customer)","to":"customer-secret-8"}"#
            _ = try await server.send(.post, "/v1/transfers", body: transfer)
            _ = try await server.send(.get, "/v1/events?after=cursor-secret-9")
            _ = try await server.send(.get, "/path-secret-10", key: nil)
        }
        let secrets = [
            "secret-", token, payload, signed, ServerFixture.secret, ServerFixture.publishable, ServerFixture.bundle,
            "2000000000000001",
        ]
        let found = lines.all.filter { line in secrets.contains { line.contains($0) } }
        #expect(found.isEmpty)
        // The log is not empty.
        #expect(lines.all.contains { $0.contains("/v1/customers/{app_user_id}/grants") && $0.contains("duration_ms") })
        #expect(lines.all.contains { $0.contains("storage_full") && $0.contains("request_id") })
    }
}
