import AppStoreModel
import Testing

/// Requests whose answer was lost, of which only the end of the period may show that they were made. It was on day 30.
@Suite struct `The end of a period after a lost answer` {
    private static let body = #"{"extend_by_days":10,"reason":"outage"}"#

    private static func withLostAnswer() async throws -> ExtensionScene {
        let scene = try await ExtensionScene()
        scene.store.refuse(ExtensionScene.applesPath, status: 500, code: 5_000_000)
        #expect(try await scene.extend("k1", body: body).status == 202)
        return scene
    }

    @Test(arguments: [(Int64(40), "extended"), (35, "unknown"), (45, "unknown")])
    func `shows the request only if it moved by its days`(day: Int64, state: String) async throws {
        let scene = try await Self.withLostAnswer()
        try scene.know(end: day)
        for minutes: Int64 in [1, 5, 15, 60] { try await scene.check(afterMinutes: minutes) }
        #expect(try await scene.newest()["state"] == .string(state))
        #expect(scene.asked == 1)
    }

    @Test func `counts from the end of another extension`() async throws {
        let scene = try await Self.withLostAnswer()
        try await scene.announce(0, end: 33)
        try scene.know(end: 43)
        try await scene.check(afterMinutes: 1)
        let rows = try await scene.list().objects("data")
        #expect(rows.map { $0["state"] } == [.string("extended"), .string("extended")])
        let request = try #require(rows.first { $0["id"] == .string("k1") })
        #expect(request["period_ends_at"] == .integer(Sample.time(43)))
    }
}
