import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

@testable import SubscriptionServer

/// What `perennial doctor` says about webhook endpoints.
@Suite struct `The review of webhook endpoints` {
    private static func findings(_ scene: WebhookScene) async throws -> [DoctorFinding] {
        let stored = try await scene.server.database.read { storage throws(StorageError) in
            try WebhookReview.read(ServerFixture.app, storage)
        }
        return WebhookReview(app: ServerFixture.app, endpoints: stored, now: scene.server.time.now()).findings
    }

    @Test func `finds nothing without endpoints, and counts those that take webhooks`() async throws {
        let scene = try await WebhookScene()
        #expect(try await Self.findings(scene).isEmpty)
        let id = try await scene.endpoint()
        _ = try await scene.endpoint(url: "https://other.example.com")
        try await scene.append(["a"])
        try await scene.settle()
        #expect(try await Self.findings(scene).map(\.message) == ["Webhooks go to 2 endpoints."])
        let path = "/v1/webhook_endpoints/\(id)"
        #expect(try await scene.server.send(.patch, path, body: #"{"enabled":false}"#).status == 200)
        let findings = try await Self.findings(scene)
        #expect(findings.map(\.status) == [.ok])
        #expect(findings.map(\.message) == ["Webhooks go to 1 endpoint; operators disabled 1."])
    }

    @Test func `finds an endpoint that is only probed, with its last error`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        scene.receivers.answer(status: 502)
        try await scene.append((0..<12).map { "c\($0)" })
        try await scene.settle()
        let finding = try #require(try await Self.findings(scene).first)
        #expect(finding.code == "webhook_endpoint_failing")
        #expect(finding.status == .warning)
        #expect(finding.message.contains(id))
        #expect(finding.message.contains("last answer: 502"))
        #expect(finding.message.contains("since \(scene.server.time.now().dateAndTimeText)"))
        #expect(finding.remedy?.contains("perennial webhooks test \(id)") == true)
    }

    @Test func `finds a disabled endpoint, and what to do`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        scene.receivers.answer(status: 410)
        try await scene.append(["a"])
        try await scene.settle()
        let finding = try #require(try await Self.findings(scene).first)
        #expect(finding.code == "webhook_endpoint_disabled")
        #expect(finding.status == .problem)
        #expect(finding.message.contains("410"))
        #expect(finding.remedy?.contains("perennial webhooks change \(id) --enable") == true)
    }

    @Test func `finds an endpoint whose events wait, but not for types that it does not want`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint(#""event_types":["recovery.*"]"#)
        try await scene.append((0..<1_100).map { _ in nil })
        scene.server.time.advance(to: scene.server.time.now().adding(milliseconds: WebhookReview.ageMax + 1))
        #expect(try await Self.findings(scene).map(\.status) == [.ok])
        let now = scene.server.time.now()
        try await scene.server.database.write { storage throws(StorageError) in
            let event = SubscriptionEvent(kind: .recoveryFinished, occurredAt: now)
            try storage.append([event], customer: nil, recordedAt: now, app: ServerFixture.app)
        }
        scene.server.time.advance(to: now.adding(milliseconds: WebhookReview.ageMax))
        #expect(try await Self.findings(scene).map(\.status) == [.ok])
        scene.server.time.advance(to: now.adding(milliseconds: WebhookReview.ageMax + 1))
        let finding = try #require(try await Self.findings(scene).first)
        #expect(finding.code == "webhook_endpoint_behind")
        #expect(finding.message.contains(now.dateAndTimeText))
    }
}
