import AppStoreModel
import NIOHTTP1
import Testing

/// Families over HTTP.
@Suite struct `Family Sharing over HTTP` {
    @Test func `a member joins, sees what is shared, and leaves`() async throws {
        try await withStore { store in
            _ = try await store.buy("pro.monthly")
            _ = try await store.post("/_store/accounts", ["accountId": "bert"])
            let joined = try await store.post("/_store/accounts/anna/family", ["member": "bert"])
            #expect(joined.json == ["accountId": "anna", "members": ["bert"]])
            let shared = try await store.get("/_store/accounts/bert").json["subscriptions"][0]
            #expect(shared["inAppOwnershipType"].stringValue == "FAMILY_SHARED")
            #expect(shared["status"].integerValue == 1)
            #expect(try await store.get("/_store/accounts/anna").json["familyMembers"] == ["bert"])
            let left = try await store.send(.DELETE, "/_store/accounts/anna/family/bert")
            #expect(left.json == ["accountId": "anna", "members": []])
            let revoked = try await store.get("/_store/accounts/bert").json["subscriptions"][0]
            #expect(revoked["status"].integerValue == 5)
            let again = try await store.send(.DELETE, "/_store/accounts/anna/family/bert")
            #expect(again.status == 404)
            #expect(again.errorCode == "not_in_family")
            #expect(try await store.post("/_store/accounts/anna/family", [:]).errorCode == "missing_field")
        }
    }
}
