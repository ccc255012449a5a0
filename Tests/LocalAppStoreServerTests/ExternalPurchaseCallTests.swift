import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import PerennialPrimitives
import Testing

/// External purchases over HTTP.
@Suite struct `External purchases over HTTP` {
    private static let reports = "/externalPurchase/v1/reports"
    private static let identifier = "7d5a0a2e-0000-4000-8000-000000000001"

    @Test func `a token is created, announced, reported and retrieved`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                let token = try await customLinkToken(of: store)
                let id = try #require(token["externalPurchaseId"].stringValue)
                let text = try #require(token["token"].stringValue)
                let bytes = try #require(Base64.decode(text.utf8, .url))
                #expect(try ExternalPurchaseToken(jsonBytes: bytes).externalPurchaseId == id)
                let sent = try store.verifier.verifyNotification(try #require(await developer.log.payloads.last)).get()
                #expect(sent.payload.notificationType == .externalPurchaseToken)
                #expect(sent.payload.subtype == .created)
                #expect(sent.payload.externalPurchaseToken?.externalPurchaseId == id)

                let report: JSONValue = [
                    "requestIdentifier": .string(Self.identifier), "externalPurchaseId": .string(id),
                    "status": "NO_LINE_ITEM",
                ]
                let answer = try await store.apple(.PUT, Self.reports, report)
                #expect(answer.status == 200)
                #expect(answer.json == ["requestIdentifier": .string(Self.identifier)])
                let found = try await store.apple(.GET, "\(Self.reports)/\(Self.identifier)")
                #expect(found.json["report"] == report)
                let list = try await store.get("/_store/accounts/anna/external-purchase-tokens")
                #expect(list.json["externalPurchaseTokens"][0]["reportedStatus"] == "NO_LINE_ITEM")
            }
        }
    }

    @Test func `a refused report lists all errors, and an unknown one is a 400`() async throws {
        try await withStore { store in
            let body: JSONValue = ["requestIdentifier": .string(Self.identifier), "status": "SOLD"]
            let refused = try await store.apple(.PUT, Self.reports, body)
            #expect(refused.status == 400)
            let errors = try SendReportErrorResponse(jsonBytes: refused.bytes).errors
            #expect(errors.map(\.fieldName) == ["externalPurchaseId", "status"])
            #expect(errors.map(\.errorMessage) == errors.map(\.errorCode.message))
            let unknown = try await store.apple(.GET, "\(Self.reports)/\(Self.identifier)")
            #expect(unknown.status == 400)
            #expect(unknown.json["errors"][0]["errorCode"].integerValue == 3)
            let malformed = try await store.apple(.PUT, Self.reports, ["requestIdentifier": 1])
            #expect(malformed.status == 400 && malformed.bytes.isEmpty)
            #expect(try await store.send(.GET, "\(Self.reports)/\(Self.identifier)").status == 401)
        }
    }

    @Test func `a token's call is read strictly`() async throws {
        try await withStore { store in
            _ = try await store.post("/_store/accounts", ["accountId": "anna"])
            let path = "/_store/accounts/anna/external-purchase-tokens"
            for (body, code) in [
                (["type": "SERVICES"], "unknown_field"), (["tokenType": "OTHER"], "token_type_unknown"),
                (["lifetime": "P1M"], "token_lifetime_invalid"), (["lifetime": "x"], "duration_invalid"),
            ] as [(JSONValue, String)] {
                #expect(try await store.post(path, body).errorCode == code)
            }
        }
    }

    private func customLinkToken(of store: RunningStore) async throws -> JSONValue {
        _ = try await store.post("/_store/accounts", ["accountId": "anna"])
        let answer = try await store.post(
            "/_store/accounts/anna/external-purchase-tokens",
            ["tokenType": "SERVICES", "lifetime": "P1M"]
        )
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json
    }
}
