import Logging
import SubscriptionCore
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

@Suite struct `The log of a recovery` {
    private static func log(of recovery: Recovery) -> RecordingLogHandler.Lines {
        let lines = RecordingLogHandler.Lines()
        recovery.log.begin(Logger(label: "test") { _ in RecordingLogHandler(lines: lines) })
        return lines
    }

    @Test func `has a failure once, not at each retry, and the end of the window`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(4)
        scene.history.fail(before: 0, with: Array(repeating: .malformed, count: 10))
        let (server, recovery) = try await scene.server()
        let lines = Self.log(of: recovery)
        try await recovery.settle()
        let window = try #require(try await scene.windows().first)
        let message = try #require(window.failure?.message)
        #expect(message.hasPrefix("Apple's answer was not what its documentation says: "))
        #expect(message.contains("The server asks again by itself.") && !message.contains("library"))
        #expect(lines.all.count == 1)
        let first = try #require(lines.all.first)
        #expect(first.hasPrefix("warning "))
        for part in ["\(ServerFixture.app)", window.id.rawValue, "history_malformed"] { #expect(first.contains(part)) }
        for _ in 2...10 {
            let waiting = try #require(try await scene.windows().first { $0.id == window.id })
            server.time.advance(to: try #require(waiting.retryAt))
            try await recovery.settle()
        }
        let ended = try #require(try await scene.windows().first { $0.id == window.id })
        #expect(ended.state == .failed)
        let ofWindow = lines.all.filter { $0.contains(window.id.rawValue) }
        #expect(ofWindow.count == 2)
        #expect(ofWindow.last?.hasPrefix("error ") == true)
        #expect(ofWindow.last?.contains("history_malformed") == true)
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `names what a window refused and could not store`(engine: RecoveryScene.Engine) async throws {
        let scene = try await RecoveryScene(engine)
        _ = try scene.addNotifications(30)
        scene.history.add("not.a.jws", at: RecoveryScene.start + 1)
        // Four of the notifications are about this purchase.
        let unreadable = OriginalTransactionID("2000000000000012")
        let damaged = DamagedDatabase(base: scene.database, unreadable: unreadable)
        let (_, recovery) = try await scene.server(database: damaged)
        let lines = Self.log(of: recovery)
        try await recovery.settle()
        let window = try #require(try await scene.windows().first)
        #expect(RecoveryScene.counts(window) == [31, 0, 26, 1, 4])
        #expect(lines.all.count == 1)
        let line = try #require(lines.all.first)
        #expect(line.hasPrefix("warning "))
        for part in ["\(ServerFixture.app)", window.id.rawValue, "malformed_jws: 1", "storage_corrupt: 4"] {
            #expect(line.contains(part), "\(part)")
        }
        for number in [2, 9, 16, 23] {
            let uuid = "5b0f7a52-6d0c-4d0e-9f55-\(100_000_000_000 + number)"
            #expect(line.contains("\(uuid) (storage_corrupt)"), "\(uuid)")
        }
        try await scene.end()
    }

    @Test func `has nothing about a comparison that stores everything`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(4)
        let (_, recovery) = try await scene.server()
        let lines = Self.log(of: recovery)
        try await recovery.settle()
        #expect(try await scene.windows().first?.counts.recovered == 4)
        #expect(lines.all.isEmpty)
    }
}
