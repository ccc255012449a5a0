import AppStoreModel
import LocalAppStore
import NIOHTTP1
import Testing

/// The checks before every call of Apple's API.
@Suite struct `The gate before Apple's paths` {
    @Test func `beyond the hourly limit a call gets 429, and Retry-After is a time in milliseconds`() async throws {
        try await withStore { store in
            let path = "/inApps/v1/notifications/test/00000000-0000-4000-8000-000000000000"
            for _ in 0..<360 { #expect(try await store.apple(.GET, path).status == 404) }
            let refused = try await store.apple(.GET, path)
            #expect(refused.status == 429)
            #expect(refused.contentType == "application/json")
            #expect(refused.json["errorCode"].integerValue == 4_290_000)
            #expect(refused.headers.first(name: "Retry-After") == "\(RunningStore.start + 3_600_000)")
            _ = try await store.advance(by: "PT1H")
            #expect(try await store.apple(.GET, path).status == 404)
        }
    }

    @Test func `a call with a bad token does not count against the limit`() async throws {
        try await withStore { store in
            let path = "/inApps/v1/notifications/test"
            for _ in 0..<400 {
                let refused = try await store.send(.POST, path)
                #expect(refused.status == 401)
            }
            #expect(try await store.apple(.POST, path).status == 404)
        }
    }

    @Test func `limits are switched off and on in the settings`() async throws {
        try await withStore { store in
            #expect(try await store.get("/_store/settings").json["rateLimits"].stringValue == "apple")
            let off = try await store.put("/_store/settings", ["rateLimits": "off"])
            #expect(off.json["rateLimits"].stringValue == "off")
            for _ in 0..<400 {
                #expect(try await store.apple(.POST, "/inApps/v1/notifications/test").status == 404)
            }
            let wrong = try await store.put("/_store/settings", ["rateLimits": "some"])
            #expect(wrong.status == 400 && wrong.errorCode == "unknown_value")
        }
    }

    @Test func `production refuses every token of an app that was never released`() async throws {
        try await withStore(environment: .production, profile: .neverReleasedApp) { store in
            #expect(try await store.get("/_store/status").json["profile"].stringValue == "never-released-app")
            let answer = try await store.apple(.POST, "/inApps/v1/notifications/test")
            #expect(answer.status == 401)
            #expect(answer.text.hasPrefix("Unauthenticated"))
        }
        try await withStore(environment: .sandbox, profile: .neverReleasedApp) { store in
            let answer = try await store.apple(.POST, "/inApps/v1/notifications/test")
            #expect(answer.status == 404)
        }
    }
}
