import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

@Suite struct `The age of the last comparison` {
    private static let name = "perennial_recovery_age_seconds"

    private static func warnings(_ server: ServerFixture) async throws -> [JSONValue?] {
        let ready = try await server.send(.get, "/readyz", key: nil)
        #expect(ready.status == 200)
        guard case .array(let warnings)? = try ready.json()["warnings"] else { return [] }
        return warnings.map { $0.objectValue?["code"] }
    }

    private static func age(_ server: ServerFixture) async throws -> Double? {
        let text = String(decoding: try await server.send(.get, "/metrics", key: nil).bytes, as: UTF8.self)
        let series = name + "{app=\"\(ServerFixture.app.rawValue)\"} "
        let line = text.split(separator: "\n").first { $0.hasPrefix(series) }
        return line.flatMap { Double($0.dropFirst(series.count)) }
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `is in the metrics, and a late comparison is a warning`(engine: RecoveryScene.Engine) async throws {
        let scene = try await RecoveryScene(engine)
        let (server, _) = try await scene.server()
        #expect(try await Self.age(server) == nil, "never compared")
        #expect(try await Self.warnings(server).isEmpty)

        try await server.services.recovery.settle()
        #expect(try await Self.age(server) == 0)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 2 * RecoveryScene.day))
        #expect(try await Self.age(server) == 172_800)
        #expect(try await Self.warnings(server).isEmpty, "exactly twice the time between two comparisons")
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 2 * RecoveryScene.day + 1))
        #expect(try await Self.warnings(server) == [.string("recovery_late")])

        try await server.services.recovery.settle()
        #expect(try await Self.age(server) == 0)
        #expect(try await Self.warnings(server).isEmpty)
        try await scene.end()
    }

    @Test func `an app that was never compared is late after the same time, from the start of the server`() async throws
    {
        let scene = try await RecoveryScene()
        scene.history.setAway(true)
        let (server, _) = try await scene.server()
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 2 * RecoveryScene.day + 1))
        try await server.services.recovery.settle()
        #expect(try await Self.warnings(server) == [.string("recovery_late")])
        #expect(try await Self.age(server) == nil)
    }

    @Test func `nothing is late if the server does not compare on its own`() async throws {
        let scene = try await RecoveryScene()
        let (server, _) = try await scene.server(RecoverySettings(isAutomatic: false))
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 100 * RecoveryScene.day))
        #expect(try await Self.warnings(server).isEmpty)
    }
}
