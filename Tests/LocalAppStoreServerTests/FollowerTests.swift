import AppStoreModel
import LocalAppStoreServer
import NIOHTTP1
import Testing

/// Servers that follow the store's clock.
@Suite struct `Followers of the clock` {
    private static let shortTimeouts = LocalAppStoreServer.Configuration(
        port: 0,
        followerTimeout: .milliseconds(150),
        followerRetryPause: .milliseconds(10)
    )

    private func join(_ store: RunningStore, _ developer: DeveloperServer, token: String = "secret") async throws
        -> JSONValue
    {
        let answer = try await store.post(
            "/_store/followers",
            [
                "settleUrl": .string(developer.settleURL),
                "token": .string(token),
                "notificationUrl": .string(developer.notificationURL),
            ]
        )
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    @Test func `joining returns the time and sets the notification endpoint`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                let joined = try await join(store, developer)
                #expect(joined["now"].integerValue == RunningStore.start)
                #expect(joined["followerId"].stringValue?.isEmpty == false)
                let endpoint = try await store.get("/_store/notification-endpoint").json
                #expect(endpoint == ["url": .string(developer.notificationURL), "version": "V2"])
                let list = try await store.get("/_store/followers").json["followers"]
                #expect(list == [["followerId": joined["followerId"], "settleUrl": .string(developer.settleURL)]])
            }
        }
    }

    @Test func `a follower settles after the deliveries of each time, and at the end`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await join(store, developer)
                _ = try await store.buy("pro.weekly")
                let week: Int64 = 7 * 86_400_000
                let report = try await store.advance(by: "P15D")
                #expect(report["steps"].integerValue == 2)
                #expect(report["followers"] == ["settled": 1, "lost": []])

                let events = await developer.log.events
                // After the purchase, and before the time passes.
                let times = [0, 0, week, 2 * week, 15 * 86_400_000].map { RunningStore.start + $0 }
                #expect(await developer.log.settledTimes == times)
                let kinds = events.map { if case .notification = $0 { "notification" } else { "settle" } }
                let ofWeek = ["notification", "settle"]
                #expect(kinds == ofWeek + ["settle"] + ofWeek + ofWeek + ["settle"])
                #expect(events.last == .settle(try #require(times.last), authorization: "Bearer secret"))
            }
        }
    }

    @Test func `an unreachable follower is retried, dropped and reported`() async throws {
        try await withStore(configuration: Self.shortTimeouts) { store in
            let dead = "http://127.0.0.1:1/settle"
            _ = try await store.post("/_store/followers", ["settleUrl": .string(dead), "token": "t"])
            let report = try await store.advance(by: "PT1H")
            #expect(report["followers"] == ["settled": 0, "lost": [.string(dead)]])
            #expect(try await store.get("/_store/followers").json == ["followers": []])
            #expect(try await store.advance(by: "PT1H")["followers"]["lost"] == [])
        }
    }

    @Test func `a follower that accepts the call and never answers is tried once, then dropped and reported`()
        async throws
    {
        let configuration = LocalAppStoreServer.Configuration(
            port: 0,
            settleDeadline: .milliseconds(200),
            followerTimeout: .milliseconds(100)
        )
        try await withStore(configuration: configuration) { store in
            try await withDeveloperServer { developer in
                let url = "http://127.0.0.1:\(developer.port)/settle-never"
                // On a slow machine a call may end before it arrives, or arrive late. It is never made twice.
                var (commands, calls) = (0, 0)
                while calls == 0, commands < 50 {
                    _ = try await store.post("/_store/followers", ["settleUrl": .string(url), "token": "t"])
                    let report = try await store.advance(by: "PT1H")
                    #expect(report["followers"] == ["settled": 0, "lost": [.string(url)]])
                    commands += 1
                    calls = await developer.log.settledTimes.count
                }
                #expect((1...commands).contains(calls))
            }
        }
    }

    @Test func `a follower that fails every time does not block a command forever`() async throws {
        let configuration = LocalAppStoreServer.Configuration(
            port: 0,
            followerTimeout: .milliseconds(100),
            followerRetryPause: .milliseconds(50)
        )
        try await withStore(configuration: configuration) { store in
            try await withDeveloperServer { developer in
                _ = try await store.buy("pro.weekly")
                _ = try await join(store, developer)
                // Six hundred milliseconds are used after twelve times with a pause each.
                await developer.log.answerSettles((0..<100).map { $0.isMultiple(of: 2) ? 503 : 200 })
                let report = try await store.advance(by: "P210D")
                #expect(report["steps"].integerValue == 30)
                #expect(report["followers"] == ["settled": 0, "lost": [.string(developer.settleURL)]])
            }
        }
    }

    @Test func `a follower that returns in time stays`() async throws {
        // On a slow machine too, the follower timeout is not reached first.
        let configuration = LocalAppStoreServer.Configuration(port: 0, followerTimeout: .seconds(600))
        try await withStore(configuration: configuration) { store in
            try await withDeveloperServer { developer in
                _ = try await join(store, developer)
                await developer.log.answerSettles([503, 401, 503])
                let report = try await store.advance(by: "PT1H")
                #expect(report["followers"] == ["settled": 1, "lost": []])
                // Four at the present time, and one after the hour.
                let times = await developer.log.settledTimes.map { $0 - RunningStore.start }
                #expect(times == [0, 0, 0, 0, 3_600_000])
            }
        }
    }

    @Test func `the same settle URL again replaces the registration and its token`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                let first = try await join(store, developer, token: "old")
                let second = try await join(store, developer, token: "new")
                #expect(first["followerId"] != second["followerId"])
                #expect(try await store.get("/_store/followers").json["followers"].arrayValue?.count == 1)
                _ = try await store.advance(by: "PT1H")
                #expect(
                    await developer.log.events == [
                        .settle(RunningStore.start, authorization: "Bearer new"),
                        .settle(RunningStore.start + 3_600_000, authorization: "Bearer new"),
                    ]
                )
            }
        }
    }

    @Test func `a server that restarts while the store waits replaces its registration`() async throws {
        // On a slow machine too, the follower timeout is not reached first.
        let configuration = LocalAppStoreServer.Configuration(port: 0, followerTimeout: .seconds(600))
        try await withStore(configuration: configuration) { store in
            try await withDeveloperServer { developer in
                _ = try await join(store, developer, token: "old")
                // A call that was in progress when the server restarted still has the old token.
                await developer.log.refuseSettles(authorization: "Bearer old")
                async let advanced = store.advance(by: "PT1H")
                await developer.log.settleCalls.first { true }
                // The store waits for its follower, and still answers other calls.
                #expect(try await store.get("/_store/clock").json["now"].integerValue == RunningStore.start)
                _ = try await join(store, developer, token: "new")
                let report = try await advanced
                #expect(report["followers"] == ["settled": 1, "lost": []])
                let last = try #require(await developer.log.events.last)
                #expect(last == .settle(RunningStore.start + 3_600_000, authorization: "Bearer new"))
            }
        }
    }

    @Test func `a follower that left is not called`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                let id = try #require(try await join(store, developer)["followerId"].stringValue)
                #expect(try await store.send(.DELETE, "/_store/followers/\(id)").status == 204)
                #expect(try await store.send(.DELETE, "/_store/followers/\(id)").errorCode == "follower_not_found")
                _ = try await store.advance(by: "PT1H")
                #expect(await developer.log.events.isEmpty)
            }
        }
    }

    @Test func `concurrent commands are executed sequentially`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await join(store, developer)
                for number in 0..<20 {
                    _ = try await store.post("/_store/accounts", ["accountId": .string("c\(number)")])
                }
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<20 {
                        group.addTask {
                            try await store.post("/_store/accounts/c\(number)/purchases", ["productId": "lifetime"])
                                .status
                        }
                    }
                    for try await status in group { #expect(status == 200) }
                }
                let kinds = await developer.log.events.map { if case .notification = $0 { "n" } else { "s" } }
                #expect(kinds.joined() == String(repeating: "ns", count: 20))
            }
        }
    }
}
