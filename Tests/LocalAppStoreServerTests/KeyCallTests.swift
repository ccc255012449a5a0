import AppStoreModel
import AppStoreSigning
import Foundation
import NIOHTTP1
import Testing

/// The developer's keys: issued and revoked while the store runs.
@Suite struct `Keys of Apple's API` {
    private static let path = "/inApps/v1/transactions/2000000000000001"
    private static let otherTeam = "57246542-96fe-1a63-e053-0824d011072a"

    private func key(_ json: JSONValue) throws -> InAppPurchaseKey {
        try InAppPurchaseKey(
            pem: try #require(json["privateKey"].stringValue),
            keyId: try #require(json["keyId"].stringValue),
            issuerId: try #require(json["issuerId"].stringValue)
        )
    }

    private func token(_ key: InAppPurchaseKey, in store: RunningStore) async throws -> String {
        let bundle = try #require(try await store.get("/_store/credentials").json["bundleId"].stringValue)
        return try BearerToken.make(key: key, bundleId: bundle, issuedAt: RunningStore.start / 1000)
    }

    private func status(_ token: String, in store: RunningStore) async throws -> Int {
        Int(try await store.send(.GET, Self.path, token: token).status)
    }

    @Test func `a rotation: both keys are accepted, then only the new one, at once`() async throws {
        try await withStore { store in
            _ = try await store.buy("lifetime")
            let first = try key(try await store.get("/_store/credentials").json)
            let old = try await token(first, in: store)
            #expect(try await status(old, in: store) == 200)
            let issued = try await store.post("/_store/keys", [:])
            #expect(issued.json["active"] == true)
            #expect(issued.json["issuerId"].stringValue == first.issuerId)
            let second = try key(issued.json)
            let new = try await token(second, in: store)
            #expect(try await status(old, in: store) == 200)
            #expect(try await status(new, in: store) == 200)
            let credentials = try await store.get("/_store/credentials").json
            #expect(credentials["keyId"].stringValue == second.keyId)
            #expect(credentials["keys"].arrayValue?.map { $0["keyId"].stringValue } == [first.keyId, second.keyId])
            let revoked = try await store.send(.DELETE, "/_store/keys/\(first.keyId)")
            #expect(revoked.json["active"] == false)
            #expect(revoked.json["privateKey"] == .null)
            // The token was accepted before, and its signature is still right.
            #expect(try await status(old, in: store) == 401)
            #expect(try await status(new, in: store) == 200)
            // A repeated command changes nothing.
            #expect(try await store.send(.DELETE, "/_store/keys/\(first.keyId)").json == revoked.json)
            let list = try await store.get("/_store/keys").text
            #expect(!list.contains("PRIVATE"))
        }
    }

    @Test func `a key of another team is accepted, as after a transfer of the app`() async throws {
        try await withStore { store in
            _ = try await store.buy("lifetime")
            let issued = try await store.post("/_store/keys", ["issuerId": .string(Self.otherTeam)])
            #expect(issued.json["issuerId"].stringValue == Self.otherTeam)
            let token = try await token(try key(issued.json), in: store)
            #expect(try await status(token, in: store) == 200)
        }
    }

    @Test func `a revoked key stays revoked after a reset and a restored snapshot`() async throws {
        try await withStore { store in
            let first = try key(try await store.get("/_store/credentials").json)
            _ = try await store.post("/_store/keys", [:])
            #expect(try await store.send(.DELETE, "/_store/keys/\(first.keyId)").status == 200)
            _ = try await store.post("/_store/snapshots", ["name": "s"])
            _ = try await store.post("/_store/reset", [:])
            _ = try await store.post("/_store/snapshots/s/restore", [:])
            let keys = try await store.get("/_store/keys").json["keys"].arrayValue ?? []
            #expect(keys.map { $0["active"] } == [false, true])
            _ = try await store.buy("lifetime")
            #expect(try await status(try await token(first, in: store), in: store) == 401)
        }
    }

    @Test func `refuses the last key, an unknown key, a wrong issuer and too many`() async throws {
        try await withStore { store in
            let keyId = try #require(try await store.get("/_store/credentials").json["keyId"].stringValue)
            let last = try await store.send(.DELETE, "/_store/keys/\(keyId)")
            #expect(last.status == 409)
            #expect(last.json["error"]["code"] == "last_key")
            let unknown = try await store.send(.DELETE, "/_store/keys/NOTTHERE00")
            #expect(unknown.status == 404)
            #expect(unknown.json["error"]["code"] == "key_not_found")
            for issuer in ["", "x", "57246542-96fe-1a63-e053-0824d011072", "g7246542-96fe-1a63-e053-0824d011072a"] {
                let answer = try await store.post("/_store/keys", ["issuerId": .string(issuer)])
                #expect(answer.status == 400)
                #expect(answer.json["error"]["code"] == "issuer_invalid")
            }
            for _ in 1..<50 { #expect(try await store.post("/_store/keys", [:]).status == 200) }
            let tooMany = try await store.post("/_store/keys", [:])
            #expect(tooMany.status == 409)
            #expect(tooMany.json["error"]["code"] == "too_many_keys")
        }
    }

    @Test func `keys are the same after a restart`() async throws {
        try await withDataFile { path in
            let (before, old, new) = try await withKeptStore(path) { store in
                _ = try await store.buy("lifetime")
                let first = try key(try await store.get("/_store/credentials").json)
                let second = try key(try await store.post("/_store/keys", [:]).json)
                let tokens = (try await token(first, in: store), try await token(second, in: store))
                #expect(try await store.send(.DELETE, "/_store/keys/\(first.keyId)").status == 200)
                return (try await store.everything(), tokens.0, tokens.1)
            }
            try await withKeptStore(path) { store in
                let after = try await store.everything()
                #expect(after == before)
                let statuses = [try await status(old, in: store), try await status(new, in: store)]
                #expect(statuses == [401, 200])
            }
        }
    }
}
