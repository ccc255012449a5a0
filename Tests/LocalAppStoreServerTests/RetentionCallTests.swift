import AppStoreModel
import NIOHTTP1
import Testing

/// The calls of Apple's Retention Messaging API, as client libraries make them.
@Suite struct `Retention messaging over HTTP` {
    private static let path = "/inApps/v1/messaging"

    @Test func `images, messages and defaults are created, listed and removed`() async throws {
        try await withStore { store in
            let path = Self.path
            let image = try await upload(fullSizeFile, "\(path)/image/\(uuid(1))", to: store)
            #expect(image.status == 200 && image.bytes.isEmpty)
            #expect(
                try await upload(fullSizeFile, "\(path)/image/\(uuid(1))", to: store).json["errorCode"] == 4_090_000
            )
            let images = try await store.apple(.GET, "\(path)/image/list")
            #expect(images.json["imageIdentifiers"][0]["imageIdentifier"] == .string(uuid(1)))
            #expect(images.json["imageIdentifiers"][0]["imageState"] == "APPROVED")
            #expect(images.json["imageIdentifiers"][0]["imageSize"] == "FULL_SIZE")
            let message: JSONValue = [
                "header": "Stay", "body": "We would miss you.", "headerPosition": "ABOVE_IMAGE",
                "image": ["imageIdentifier": .string(uuid(1)), "altText": "A door"],
            ]
            let uploaded = try await store.apple(.PUT, "\(path)/message/\(uuid(2))", message)
            #expect(uploaded.status == 200 && uploaded.bytes.isEmpty)
            let messages = try await store.apple(.GET, "\(path)/message/list")
            let listed: JSONValue = ["messageIdentifier": .string(uuid(2)), "messageState": "APPROVED"]
            #expect(messages.json == ["messageIdentifiers": [listed]])
            let target = "\(path)/default/pro.monthly/en-US"
            let body: JSONValue = ["messageIdentifier": .string(uuid(2))]
            for _ in 0..<2 { #expect(try await store.apple(.PUT, target, body).status == 200) }
            #expect(try await store.apple(.GET, target).json == body)
            #expect(try await store.apple(.DELETE, "\(path)/image/\(uuid(1))").json["errorCode"] == 4_030_019)
            for (gone, code) in [
                ("default/pro.monthly/en-US", nil), ("message/\(uuid(2))", 4_040_015),
                ("image/\(uuid(1))", 4_040_014),
            ] as [(String, Int64?)] {
                let first = try await store.apple(.DELETE, "\(path)/\(gone)")
                #expect(first.status == 200 && first.bytes.isEmpty)
                #expect(try await store.apple(.DELETE, "\(path)/\(gone)").json["errorCode"].integerValue == code)
            }
            #expect(try await store.apple(.GET, target).json["errorCode"] == 4_040_020)
        }
    }

    @Test(
        arguments: [
            (HTTPMethod.PUT, "image/\(uuid(1))", "no image", 400, 4_000_161),
            (.PUT, "image/\(uuid(1))?imageSize=HUGE", "", 400, 4_000_216),
            (.PUT, "image/door", "", 400, 4_000_000), (.PUT, "message/\(uuid(1))", "{", 400, nil),
            (.PUT, "message/\(uuid(1))", "{}", 400, 4_000_000),
            (.PUT, "default/coins.100/en-US", #"{"messageIdentifier": ""}"#, 400, 4_000_023),
            (.PUT, "default/pro.monthly/en_US", #"{"messageIdentifier": ""}"#, 400, 4_000_164),
            (.PUT, "default/pro.monthly/en-US", "{}", 400, 4_000_000),
            (.PUT, "default/pro.monthly/en-US", #"{"messageIdentifier": "\#(uuid(9))"}"#, 404, 4_040_015),
            (.PUT, "realtime/url", "{}", 400, 4_000_215),
            (.PUT, "realtime/url", #"{"realtimeURL": "http://shop.example/"}"#, 400, 4_000_215),
            (.GET, "realtime/url", "", 404, 4_040_021), (.DELETE, "realtime/url", "", 404, 4_040_021),
            (.POST, "performanceTest", "{}", 400, 4_000_211),
            (.GET, "performanceTest/result/x", "", 400, 4_000_212),
            (.GET, "performanceTest/result/\(uuid(1))", "", 404, 4_040_018),
        ] as [(HTTPMethod, String, String, Int, Int64?)]
    )
    func `a bad request gets Apple's answer`(
        method: HTTPMethod,
        target: String,
        body: String,
        status: Int,
        code: Int64?
    ) async throws {
        try await withStore { store in
            let token = try store.token()
            let answer = try await store.send(method, "\(Self.path)/\(target)", body: Array(body.utf8), token: token)
            #expect(answer.status == status)
            #expect(answer.json["errorCode"].integerValue == code)
            let bare = try await store.send(method, "\(Self.path)/\(target)", body: Array(body.utf8))
            #expect(bare.status == 401)
        }
    }

    @Test func `production waits for reviews and for a performance test, which a test decides`() async throws {
        try await withStore(environment: .production) { store in
            let path = Self.path
            _ = try await upload(fullSizeFile, "\(path)/image/\(uuid(1))", to: store)
            let message: JSONValue = [
                "header": "Stay", "body": "", "image": ["imageIdentifier": .string(uuid(1)), "altText": ""],
            ]
            _ = try await store.apple(.PUT, "\(path)/message/\(uuid(2))", message)
            let body: JSONValue = ["messageIdentifier": .string(uuid(2))]
            func configure() async throws -> RunningStore.Answer {
                try await store.apple(.PUT, "\(path)/default/pro.monthly/en-US", body)
            }
            #expect(try await configure().json["errorCode"] == 4_030_017)
            let approved: JSONValue = ["state": "APPROVED"]
            #expect(try await store.put("/_store/retention/messages/\(uuid(2))", approved).status == 200)
            #expect(try await configure().json["errorCode"] == 4_030_018)
            #expect(try await store.put("/_store/retention/images/\(uuid(1))", approved).status == 200)
            #expect(try await configure().status == 200)
            let url: JSONValue = ["realtimeURL": "https://shop.example/retention"]
            #expect(try await store.apple(.PUT, "\(path)/realtime/url", url).json["errorCode"] == 4_030_026)
            #expect(try await store.put("/_store/retention", ["performanceTestPassed": true]).status == 200)
            #expect(try await store.apple(.PUT, "\(path)/realtime/url", url).status == 200)
            #expect(try await store.apple(.GET, "\(path)/realtime/url").json == url)
            let report = try await store.get("/_store/retention").json
            #expect(report["images"][0]["state"] == "APPROVED" && report["images"][0]["widthPixels"] == 3_840)
            #expect(report["messages"][0]["content"]["header"] == "Stay")
            #expect(report["defaultMessages"][0]["locale"] == "en-US")
            #expect(report["realtimeURL"] == "https://shop.example/retention")
            for target in ["performanceTest", "performanceTest/result/\(uuid(1))"] {
                let method: HTTPMethod = target == "performanceTest" ? .POST : .GET
                let test = try await store.apple(method, "\(path)/\(target)", ["originalTransactionId": "1"])
                #expect(test.status == 404 && test.bytes.isEmpty)
            }
        }
    }

    @Test func `without access the realtime calls answer only 404`() async throws {
        try await withStore { store in
            #expect(try await store.put("/_store/settings", ["retentionMessagingAccess": false]).status == 200)
            for (method, target) in [
                (HTTPMethod.GET, "realtime/url"), (.PUT, "realtime/url"), (.DELETE, "realtime/url"),
                (.POST, "performanceTest"), (.GET, "performanceTest/result/\(uuid(1))"),
            ] {
                let answer = try await store.apple(method, "\(Self.path)/\(target)", [:])
                #expect(answer.status == 404 && answer.bytes.isEmpty)
            }
            #expect(try await store.apple(.GET, "\(Self.path)/message/list").status == 200)
        }
    }

    @Test(arguments: [
        ("PUT /_store/retention", #"{"passed": true}"#, 400, "unknown_field", "passed"),
        ("PUT /_store/retention", "{}", 400, "missing_field", "performanceTestPassed"),
        ("PUT /_store/retention/images/\(uuid(1))", #"{"state": "APPROVED"}"#, 404, "image_not_found", nil),
        ("PUT /_store/retention/images/\(uuid(1))", #"{"state": "FINE"}"#, 400, "review_state_unknown", "state"),
        ("PUT /_store/retention/messages/\(uuid(1))", #"{"state": "REJECTED"}"#, 404, "message_not_found", nil),
        ("POST /_store/subscriptions/1/cancel-page", #"{"lang": "de"}"#, 400, "unknown_field", "lang"),
        ("POST /_store/subscriptions/1/cancel-page", "{}", 404, "subscription_not_found", nil),
        (
            "PUT /_store/settings", #"{"realtimeDeadlineMilliseconds": 0}"#, 400, "out_of_range",
            "realtimeDeadlineMilliseconds"
        ),
        ("PUT /_store/faults", #"{"realtime": [{"fault": "delay"}]}"#, 400, "unknown_value", "realtime[0].fault"),
        (
            "PUT /_store/faults", #"{"realtime": [{"fault": "drop", "purpose": "fun"}]}"#, 400, "unknown_value",
            "realtime[0].purpose"
        ),
        ("POST /_store/customer-groups", "{}", 400, "missing_field", "groupType"),
        (
            "POST /_store/customer-groups", #"{"groupType": "CONSUMER", "members": [{"id": "a"}]}"#, 400,
            "unknown_field",
            "members[0].id"
        ),
        ("DELETE /_store/customer-groups/7", "", 404, "group_not_found", nil),
    ])
    func `the store's own calls refuse by the path of the field`(
        call: String,
        body: String,
        status: Int,
        code: String,
        path: String?
    ) async throws {
        try await withStore { store in
            let words = call.split(separator: " ").map(String.init)
            let answer = try await store.send(HTTPMethod(rawValue: words[0]), words[1], body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(answer.errorCode == code)
            #expect(answer.json["error"]["path"].stringValue == path)
        }
    }

    @Test func `customers are in groups, and groups have pages of members`() async throws {
        try await withStore { store in
            let id = try #require(try await store.buy("coins.100")["transactionId"].stringValue)
            let groups = try await store.apple(.GET, "/groups/v1/currentGroups/\(id)").json["groups"]
            #expect(groups[0]["groupId"] == "900000000000000000")
            _ = try await store.buy("coins.100", account: "ben")
            let members: JSONValue = [["accountId": "anna"], ["accountId": "ben"]]
            let made = try await store.post("/_store/customer-groups", ["groupType": "CONSUMER", "members": members])
            let groupId = try #require(made.json["groupId"].stringValue)
            #expect(
                try await store.apple(.GET, "/groups/v1/currentGroups/\(id)").json["groups"]
                    == [["groupId": .string(groupId), "groupType": "CONSUMER"]]
            )
            let first = try await store.apple(.GET, "/groups/v1/group/\(groupId)?limit=1").json
            let token = try #require(first["paginationToken"].stringValue)
            let path = "/groups/v1/group/\(groupId)?limit=1&paginationToken=\(token)"
            let second = try await store.apple(.GET, path).json
            #expect(
                first["hasMore"] == true && second["hasMore"] == false && second["members"][0] != first["members"][0]
            )
            #expect(try await store.apple(.GET, "/groups/v1/group/\(groupId)?limit=101").json["errorCode"] == 4_000_004)
            #expect(try await store.apple(.GET, "/groups/v1/group/x").json["errorCode"] == 4_000_225)
            #expect(try await store.send(.DELETE, "/_store/customer-groups/\(groupId)").status == 204)
            #expect(try await store.apple(.GET, "/groups/v1/group/\(groupId)").json["errorCode"] == 4_040_022)
        }
        try await withStore(environment: .production) { store in
            let answer = try await store.apple(.GET, "/groups/v1/group/900000000000000000")
            #expect(answer.status == 404 && answer.bytes.isEmpty)
        }
    }

    private func upload(_ file: [UInt8], _ path: String, to store: RunningStore) async throws -> RunningStore.Answer {
        try await store.send(.PUT, path, body: file, token: try store.token())
    }
}
