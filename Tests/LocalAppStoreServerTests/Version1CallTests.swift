import AppStoreModel
import Testing

@Suite struct `Version 1 notifications over HTTP` {
    @Test func `an endpoint set to version 1 gets plain JSON, and version 2 again once it is switched`() async throws {
        try await withDeveloperServer { developer in
            try await withStore { store in
                let endpoint: JSONValue = ["url": .string(developer.notificationURL), "version": "V1"]
                #expect(try await store.put("/_store/notification-endpoint", endpoint).json == endpoint)
                #expect(try await store.get("/_store/settings").json["notificationVersion"] == "V1")
                let bought = try await store.buy("pro.monthly")
                let bodies = await developer.log.bodies
                #expect(bodies.map { $0["notification_type"] } == ["INITIAL_BUY"])
                #expect(bodies.first?["unified_receipt"]["latest_receipt"] == bought["receipt"])
                #expect(bodies.first?["signedPayload"] == .null)

                _ = try await store.put("/_store/settings", ["notificationVersion": "V2"])
                #expect(try await store.get("/_store/notification-endpoint").json["version"] == "V2")
                _ = try await store.advance(by: "P1W")
                #expect(await developer.log.bodies.last?.objectValue?.keys == ["signedPayload"])
            }
        }
    }

    @Test func `a version 1 notification is listed with its body`() async throws {
        try await withStore { store in
            _ = try await store.put("/_store/settings", ["notificationVersion": "V1"])
            _ = try await store.buy("pro.monthly")
            let listed = try await store.get("/_store/notifications").json["notifications"][0]
            #expect(listed["notificationType"] == "INITIAL_BUY")
            #expect(listed["version"] == "V1")
            #expect(listed["signedPayload"] == .null)
            #expect(listed["body"]["auto_renew_product_id"] == "pro.monthly")
        }
    }

    @Test(arguments: ["/_store/settings", "/_store/notification-endpoint"])
    func `a version that Apple does not have is refused`(path: String) async throws {
        try await withStore { store in
            let member = path.hasSuffix("settings") ? "notificationVersion" : "version"
            let answer = try await store.put(path, .object(["url": .null, member: "V3"]))
            #expect(answer.status == 400)
            let code = path.hasSuffix("settings") ? "unknown_field" : "unknown_value"
            #expect(answer.errorCode == code)
        }
    }
}
