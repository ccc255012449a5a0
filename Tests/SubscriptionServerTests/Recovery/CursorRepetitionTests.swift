import AppStoreClient
import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

@Suite struct `Cursors of a notification history` {
    private static let window = RecoveryWindow(
        id: RecoveryWindowID(rawValue: "rw_1"),
        createdAt: Timestamp(milliseconds: 3),
        from: Timestamp(milliseconds: 1),
        to: Timestamp(milliseconds: 2),
        onlyFailures: false,
        reason: .start
    )

    /// The number of the first cursor that is noticed as a repeated one.
    private static func repeated(_ numbers: some Sequence<Int>) -> Int? {
        var repetition = CursorRepetition(of: window)
        var count = 0
        for number in numbers {
            count += 1
            if repetition.note(PageCursor(environment: .production, token: "\(number)")) { return count }
        }
        return nil
    }

    @Test(arguments: [(0, 1), (0, 2), (1, 121), (7, 125), (300, 7), (500, 1_000)] as [(Int, Int)])
    func `that come again are noticed, however long the cycle is`(before: Int, length: Int) throws {
        let countMax = 3 * max(before + 2, length)
        let numbers = (0..<countMax).map { $0 < before ? $0 : before + ($0 - before) % length }
        let count = try #require(Self.repeated(numbers))
        #expect(count > before + length)
    }

    @Test func `that differ are never taken for repeated ones`() {
        #expect(Self.repeated(0..<10_000) == nil)
    }

    @Test func `come again in the next pass of a window`() {
        var next = Self.window
        next.restarts = 1
        let repetition = CursorRepetition(of: Self.window)
        #expect(repetition.isPass(of: Self.window))
        #expect(!repetition.isPass(of: next))
    }
}

@Suite struct `An endless history` {
    /// A run reads 120 pages.
    private static let pages = 125
    private static let path = "/v1/recovery/windows"

    @Test func `is read again, and then ends the window with an error`() async throws {
        let scene = try await RecoveryScene(pageSize: 1)
        // The verifier refuses them.
        for number in 0..<Self.pages { scene.history.add("not.a.jws", at: RecoveryScene.start + Int64(number)) }
        scene.history.repeatPages(Self.pages, requestsMax: 10_000)
        let (server, _) = try await scene.server(RecoverySettings(isAutomatic: false))
        let body = #"{"from":\#(RecoveryScene.start),"to":\#(ServerFixture.now)}"#
        let id = try #require(try await server.send(.post, Self.path, body: body).string("id"))
        // The first pass and ten more.
        for pass in 1...11 {
            try await server.services.recovery.settle()
            #expect(scene.history.requests <= pass * 3 * Self.pages)
            server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + Int64(pass) * 3_600_000))
        }
        let window = try await server.send(.get, "\(Self.path)/\(id)")
        #expect(try window.string("state") == "failed")
        #expect(try window.string("error", "code") == "history_malformed")
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
