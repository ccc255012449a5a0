import AppStoreClient
import AppStoreModel
import HTTPTypes
import PerennialPrimitives
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

@Suite struct `Pages of a notification history` {
    private typealias Page = (notifications: [Int], cursor: Int)

    private static let window = RecoveryWindow(
        id: RecoveryWindowID(rawValue: "rw_1"),
        createdAt: Timestamp(milliseconds: 3),
        from: Timestamp(milliseconds: 1),
        to: Timestamp(milliseconds: 2),
        onlyFailures: false,
        reason: .start
    )

    /// The number of pages until it is noticed that they do not end.
    private static func repeated(_ pages: some Sequence<Page>) -> Int? {
        var repetition = HistoryRepetition(of: window)
        var count = 0
        for page in pages {
            count += 1
            let items = page.notifications.map { NotificationHistoryResponseItem(signedPayload: payload($0, count)) }
            let cursor = PageCursor(environment: .production, token: "\(page.cursor)")
            if repetition.note(items, next: cursor) { return count }
        }
        return nil
    }

    /// A notification, signed anew for each query; every third one is no JWS.
    private static func payload(_ number: Int, _ query: Int) -> String {
        guard number % 3 != 0 else { return "no JWS \(number)" }
        let payload = #"{"notificationUUID":"\#(number)","signedDate":\#(query)}"#
        return "e30.\(String(decoding: Base64.encode(Array(payload.utf8), .url), as: UTF8.self)).AA"
    }

    @Test(arguments: [(0, 1), (0, 2), (1, 121), (7, 125), (300, 7), (500, 1_000)] as [(Int, Int)])
    func `with cursors that come again are noticed, however long the cycle is`(before: Int, length: Int) throws {
        let countMax = 3 * max(before + 2, length)
        let pages: [Page] = (0..<countMax).map {
            (notifications: [$0], cursor: $0 < before ? $0 : before + ($0 - before) % length)
        }
        let count = try #require(Self.repeated(pages))
        #expect(count > before + length)
    }

    @Test(arguments: [0, 1, 9, 300])
    func `with contents that come again and new cursors are noticed for each length of a cycle`(before: Int) throws {
        for length in Array(1...40) + [121, 500] {
            let pages = (0...).lazy.map { number -> Page in
                let content = number < before ? number : before + (number - before) % length
                return (notifications: [2 * content, 2 * content + 1], cursor: number)
            }
            let count = try #require(Self.repeated(pages.prefix(6 * max(before + 2, length + 1))))
            #expect(count > before + length)
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `that new notifications move, and empty ones, are never taken for repeated ones`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var pages: [Page] = []
        var end = 0
        while pages.count < 500 {
            let size = Int.random(in: 1...20, using: &random)
            pages.append((notifications: Array(end..<(end + size)), cursor: pages.count))
            end += size
            switch Int.random(in: 0..<4, using: &random) {
            // The last ones come again on the next page.
            case 0: end -= Int.random(in: 0..<size, using: &random)
            // All come again on the next page, once.
            case 1:
                pages.append((notifications: Array((end - size)..<end), cursor: pages.count))
            case 2:
                for _ in 0..<Int.random(in: 1...7, using: &random) {
                    pages.append((notifications: [], cursor: pages.count))
                }
            default: break
            }
        }
        #expect(Self.repeated(pages) == nil)
    }

    @Test func `that differ are never taken for repeated ones`() {
        #expect(Self.repeated((0..<10_000).lazy.map { (notifications: [$0], cursor: $0) }) == nil)
    }

    @Test func `come again in the next pass of a window`() {
        var next = Self.window
        next.restarts = 1
        let repetition = HistoryRepetition(of: Self.window)
        #expect(repetition.isPass(of: Self.window))
        #expect(!repetition.isPass(of: next))
    }
}

@Suite struct `An endless history` {
    /// A run reads 120 pages.
    private static let pages = 125
    private static let path = "/v1/recovery/windows"

    @Test(arguments: [false, true])
    func `is read again, and then ends the window with an error`(hasFreshTokens: Bool) async throws {
        let scene = try await RecoveryScene(pageSize: 1)
        // The verifier refuses them.
        for number in 0..<Self.pages {
            scene.history.add("not.a.jws.\(number)", at: RecoveryScene.start + Int64(number))
        }
        scene.history.repeatPages(Self.pages, requestsMax: 20_000, withFreshTokens: hasFreshTokens)
        let (server, _) = try await scene.server(RecoverySettings(isAutomatic: false))
        let body = #"{"from":\#(RecoveryScene.start),"to":\#(ServerFixture.now)}"#
        let id = try #require(try await server.send(.post, Self.path, body: body).string("id"))
        // The first pass and ten more.
        for pass in 1...11 {
            try await server.services.recovery.settle()
            #expect(scene.history.requests <= pass * (hasFreshTokens ? 6 : 3) * Self.pages)
            server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + Int64(pass) * 3_600_000))
        }
        let window = try await server.send(.get, "\(Self.path)/\(id)")
        #expect(try window.string("state") == "failed")
        #expect(try window.string("error", "code") == "history_malformed")
        #expect(try window.string("error", "message")?.contains("Request the window again") == true)
        #expect(scene.history.requests > 10 * Self.pages)
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `is asked for less and less often, and every failure counts`(engine: RecoveryScene.Engine) async throws {
        let scene = try await RecoveryScene(engine, pageSize: 1)
        _ = try scene.addNotifications(3)
        scene.history.repeatPages(3, requestsMax: 10_000)
        let (server, recovery) = try await scene.server()
        try await recovery.settle()
        var pauses: [Int64] = []
        while let window = try await scene.windows().last, window.state == .running, pauses.count < 100 {
            let retryAt = try #require(window.retryAt)
            pauses.append(retryAt.milliseconds - server.time.now().milliseconds)
            #expect(window.failures == pauses.count)
            #expect(window.failure?.code == "history_malformed")
            server.time.advance(to: retryAt)
            try await recovery.settle()
        }
        // 30 seconds, doubled, with up to a quarter more, up to 15 minutes.
        let expected: [Int64] = [30, 60, 120, 240, 480, 720, 720, 720, 720, 720].map { $0 * 1_000 }
        #expect(pauses.count == expected.count)
        for (pause, least) in zip(pauses, expected) { #expect((least...least + least / 4).contains(pause)) }
        let ended = try #require(try await scene.windows().last)
        #expect(ended.state == .failed && ended.failures == expected.count + 1)
        #expect(ended.failure?.message.contains("The server asks again by itself.") == true)
        #expect(ended.counts.recovered == 3)
        #expect(ended.counts.sent == ended.counts.held + ended.counts.recovered)
        try await scene.end()
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `that ends after all is compared with exact counts`(engine: RecoveryScene.Engine) async throws {
        let scene = try await RecoveryScene(engine, pageSize: 1)
        _ = try scene.addNotifications(Self.pages)
        scene.history.repeatPages(Self.pages, requestsMax: 10_000)
        let (server, recovery) = try await scene.server()
        try await recovery.settle()
        let waiting = try #require(try await scene.windows().first)
        #expect(waiting.state == .running && waiting.restarts == 1 && waiting.page == nil)
        #expect(waiting.failure?.code == "history_malformed")

        scene.history.repeatPages(Self.pages, requestsMax: 0)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 60_000))
        try await recovery.settle()
        let finished = try #require(try await scene.windows().last)
        #expect(finished.state == .finished)
        #expect(RecoveryScene.counts(finished) == [Self.pages, 0, Self.pages, 0, 0])
        try await scene.end()
    }
}
