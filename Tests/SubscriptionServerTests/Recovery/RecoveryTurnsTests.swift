import AppStoreModel
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Synchronization
import Testing

@testable import SubscriptionOperations

/// Apps whose histories are compared by one server.
@Suite struct `Several apps that are compared` {
    private static let sandbox = AppID(bundleID: ServerFixture.bundle, environment: .sandbox)

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `wait only for a part of another app's long history`(engine: RecoveryScene.Engine) async throws {
        // The order of the apps does not matter.
        for isSandboxLong in [true, false] {
            let scene = try await RecoveryScene(engine)
            let other = ScriptedHistory()
            let long = isSandboxLong ? other : scene.history
            let short = isSandboxLong ? scene.history : other
            // A run has at most 20 parts of six pages. Each page has three of these, which the verifier refuses.
            let pages = 250
            for number in 0..<3 * pages { long.add("not.a.\(number)", at: RecoveryScene.start + Int64(number)) }
            let server = try await ServerFixture(
                database: scene.database,
                apple: scene.apple,
                access: AppStoreAccess([
                    ServerFixture.app: try scene.history.entry(), Self.sandbox: try other.entry(in: .sandbox),
                ]),
                recovery: RecoverySettings(overlapMilliseconds: 0, settlingMilliseconds: 0)
            )
            let turns = Mutex<[Int]>([])
            short.onRequest { _ in turns.withLock { $0.append(long.requests) } }
            // A query for failed deliveries becomes due while the long history is read.
            let later = Timestamp(milliseconds: ServerFixture.now + 300_000)
            let clock = server.time
            long.onRequest { number in
                guard number == 130 else { return }
                clock.advance(to: later)
            }
            try await server.services.recovery.settle()

            let found = turns.withLock { $0 }
            #expect(found.count == 2, "\(found)")
            #expect(found.first.map { $0 <= 120 } == true, "\(found)")
            #expect(found.last.map { (130..<pages).contains($0) } == true, "\(found)")
            let window = try await scene.database.read { storage throws(StorageError) in
                try storage.recoveryWindows(of: isSandboxLong ? Self.sandbox : ServerFixture.app, limit: 10)
            }.last
            #expect(window?.state == .finished)
            #expect(window.map(RecoveryScene.counts) == [3 * pages, 0, 0, 3 * pages, 0])
            try await scene.end()
        }
    }
}
