import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// Copies of whole stores, by name.
@Suite struct `Snapshots of the store` {
    @Test func `a restored snapshot equals the earlier store, and continues independently`() async throws {
        try await withStore { store in
            _ = try await store.buy("pro.weekly")
            let before = try await store.get("/_store/accounts/anna").bytes
            let taken = try await store.post("/_store/snapshots", ["name": "one-week"])
            #expect(taken.status == 200, "\(taken.text)")
            #expect(
                taken.json == [
                    "id": "snapshot-1", "name": "one-week", "now": .integer(RunningStore.start),
                    "accounts": 1, "subscriptions": 1, "transactions": 1, "notifications": 1,
                ]
            )
            _ = try await store.advance(by: "P1M")
            let restored = try await store.post("/_store/snapshots/one-week/restore")
            #expect(restored.status == 200, "\(restored.text)")
            #expect(try await store.get("/_store/accounts/anna").bytes == before)
            #expect(try await store.get("/_store/clock").json["now"].integerValue == RunningStore.start)

            _ = try await store.advance(by: "P8D")
            let account = try await store.get("/_store/accounts/anna").json
            #expect(account["transactions"].arrayValue?.count == 2)
        }
    }

    @Test func `a restored store can be saved under another name, and both snapshots stay`() async throws {
        try await withStore { store in
            _ = try await store.post("/_store/snapshots", ["name": "empty"])
            _ = try await store.buy("lifetime")
            _ = try await store.post("/_store/snapshots", ["name": "sold"])
            _ = try await store.post("/_store/snapshots/empty/restore")
            _ = try await store.buy("coins.100")
            _ = try await store.buy("coins.100")
            _ = try await store.post("/_store/snapshots")
            let list = try await store.get("/_store/snapshots").json["snapshots"].arrayValue
            #expect(list?.map { $0["name"].stringValue } == ["empty", "sold", "snapshot-3"])
            #expect(list?.map { $0["transactions"].integerValue } == [0, 1, 2])
            #expect(try await store.post("/_store/snapshots/snapshot-2/restore").status == 200)
            #expect(try await store.get("/_store/status").json["transactions"].integerValue == 1)
        }
    }

    @Test func `a restored history repeats the same notifications, to the current endpoint`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.buy("pro.weekly")
                _ = try await store.post("/_store/snapshots", ["name": "start"])
                let url = JSONValue.string(developer.notificationURL)
                _ = try await store.put("/_store/notification-endpoint", ["url": url])
                for _ in 1...2 {
                    _ = try await store.post("/_store/snapshots/start/restore")
                    #expect(try await store.advance(by: "P7D")["notifications"] == ["sent": 1, "failed": 0])
                }
                let sent = try await developer.log.payloads.map {
                    try store.verifier.verifyNotification($0).get().payload
                }
                #expect(sent.count == 2)
                #expect(Set(sent.map(\.notificationUUID)).count == 1)
            }
        }
    }

    @Test func `retries that were pending in a snapshot continue after it is restored`() async throws {
        try await withStore(environment: .production) { store in
            try await withDeveloperServer { developer in
                let url = JSONValue.string(developer.notificationURL)
                _ = try await store.put("/_store/notification-endpoint", ["url": url])
                await developer.log.answerNotifications([500])
                _ = try await store.buy("lifetime")
                _ = try await store.post("/_store/snapshots", ["name": "failed-once"])
                #expect(try await store.advance(by: "PT1H")["notifications"]["sent"].integerValue == 1)
                _ = try await store.post("/_store/snapshots/failed-once/restore")
                #expect(try await store.advance(by: "PT1H")["notifications"]["sent"].integerValue == 1)
            }
        }
    }

    @Test func `followers stay, unless the clock goes back, which no server can follow`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                let settleURL = JSONValue.string(developer.settleURL)
                let join: JSONValue = ["settleUrl": settleURL, "token": "secret"]
                _ = try await store.post("/_store/snapshots", ["name": "first"])
                _ = try await store.post("/_store/followers", join)
                let same = try await store.post("/_store/snapshots/first/restore")
                #expect(same.json["followers"] == ["lost": []])
                _ = try await store.advance(by: "P1D")
                let back = try await store.post("/_store/snapshots/first/restore")
                #expect(back.json["followers"] == ["lost": [settleURL]])
                #expect(try await store.get("/_store/followers").json["followers"] == [])
            }
        }
    }

    @Test func `a removed snapshot is gone, and its name is free`() async throws {
        try await withStore { store in
            _ = try await store.post("/_store/snapshots", ["name": "a"])
            let removed = try await store.send(.DELETE, "/_store/snapshots/a")
            #expect(removed.status == 204)
            let restored = try await store.post("/_store/snapshots/a/restore")
            #expect(restored.status == 404)
            #expect(restored.errorCode == "snapshot_not_found")
            let again = try await store.send(.DELETE, "/_store/snapshots/a")
            #expect(again.errorCode == "snapshot_not_found")
            #expect(try await store.post("/_store/snapshots", ["name": "a"]).status == 200)
        }
    }

    @Test(
        arguments: [
            (["name": ""], 422, "snapshot_name_invalid"),
            (["name": "a b"], 422, "snapshot_name_invalid"),
            (["name": "a/b"], 422, "snapshot_name_invalid"),
            (["name": "taken"], 409, "snapshot_exists"),
            (["name": "snapshot-1"], 409, "snapshot_exists"),
            (["name": 1], 400, "wrong_type"),
            (["title": "x"], 400, "unknown_field"),
        ] as [(JSONValue, Int, String)]
    )
    func `a snapshot that cannot be taken is refused by its field`(
        body: JSONValue,
        status: Int,
        code: String
    ) async throws {
        try await withStore { store in
            _ = try await store.post("/_store/snapshots", ["name": "taken"])
            let answer = try await store.post("/_store/snapshots", body)
            #expect(answer.status == status)
            #expect(answer.errorCode == code)
            #expect(answer.json["error"]["path"].stringValue == body.objectValue?.keys.first)
        }
    }

    @Test func `a store keeps 64 snapshots, and no more`() async throws {
        try await withStore { store in
            for _ in 1...64 { _ = try await store.post("/_store/snapshots") }
            let kept = try await store.get("/_store/snapshots").json["snapshots"].arrayValue
            #expect(kept?.count == 64)
            #expect(try await store.post("/_store/snapshots").errorCode == "too_many_snapshots")
        }
    }
}
