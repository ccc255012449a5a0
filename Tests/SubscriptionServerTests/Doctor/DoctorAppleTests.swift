import AppStoreClient
import AppStoreModel
import AppStoreSigning
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorageTesting
import Testing

@testable import SubscriptionServer

/// The checks of `perennial doctor` that call Apple, with a simulated App Store.
@Suite struct `The calls of perennial doctor` {
    private static let statusPath = "/inApps/v1/notifications/test/\(token)"
    private static let token = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a10"

    private let appStore = ScriptedAppStore()

    private func target(_ keyIDs: [String] = ["K1"]) throws -> AppStoreTarget {
        let key = AppStoreKey(
            bundleID: ServerFixture.bundle,
            environments: [.production],
            keys: keyIDs.map { .generate(keyId: $0) },
            baseURL: "https://store.test"
        )
        return try #require(AppStoreTarget.targets(of: key).first)
    }

    @Test func `every key is tried, and an answer about the transaction accepts it`() async throws {
        appStore.refuse(keyIDs: ["K1"])
        let checkup = KeyCheckup(target: try target(["K1", "K2"]), transport: appStore)
        let trials = await checkup.trials()
        #expect(trials.map(\.keyID) == ["K1", "K2"])
        guard case .refused = trials[0].trial else { return #expect(Bool(false), "\(trials[0])") }
        #expect(trials[1].trial == .accepted)
    }

    @Test func `a key is not judged without an answer`() async throws {
        appStore.setUnreachable(true)
        let checkup = KeyCheckup(target: try target(), transport: appStore)
        let trials = await checkup.trials()
        guard case .unanswered = trials[0].trial else { return #expect(Bool(false), "\(trials[0])") }
    }

    @Test func `a trial that may pass later says to run it again`() throws {
        for (code, text) in [("timed_out", "(timed_out)"), ("server_fault", "answered with an error (server_fault)")] {
            let finding = try #require(KeyCheckup.findings(ServerFixture.app, [("K1", .unanswered(code))]).first)
            #expect(finding.message.contains(text))
            #expect(finding.message.contains("Run this command again"))
        }
    }

    @Test func `both hosts of Apple are asked unless a store is followed, and each host once`() throws {
        let apple = ["https://api.storekit-sandbox.apple.com", "https://api.storekit.apple.com"]
        #expect(Doctor.hosts(of: [], followsStore: false) == apple)
        #expect(Doctor.hosts(of: [], followsStore: true) == [])
        let key = AppStoreKey(
            bundleID: ServerFixture.bundle,
            environments: [.production],
            keys: [.generate(keyId: "K1")]
        )
        let targets = AppStoreTarget.targets(of: key)
        #expect(Doctor.hosts(of: targets + targets, followsStore: false) == apple)
        #expect(Doctor.hosts(of: targets, followsStore: true) == [apple[1]])
        // A store answers instead of Apple.
        #expect(Doctor.hosts(of: [try target()], followsStore: true) == [])
    }

    @Test func `an unreachable Apple is a problem, and the clock is skipped`() async {
        appStore.setUnreachable(true)
        let reachability = AppleReachability(
            url: "https://store.test",
            transport: appStore,
            time: SystemTimeSource()
        )
        let findings = await reachability.findings()
        #expect(findings.map(\.status) == [.problem, .skipped])
        #expect(findings.first?.code == "app_store_unreachable")
        appStore.setUnreachable(false)
        #expect(await reachability.findings().first?.status == .ok)
    }

    /// Sets the result of the delivery; the notification is sent to the server if it is delivered here.
    private func outcome(
        _ attempts: [SendAttemptResult],
        isDeliveredHere: Bool
    ) async throws -> TestNotification.Outcome {
        let fixture = try await ServerFixture()
        let payload = try fixture.apple.notification(Self.token, type: .test)
        if isDeliveredHere { _ = try await fixture.services.ingestion.takeNotification(Array(payload.utf8)) }
        appStore.answer(
            "/inApps/v1/notifications/test",
            SendTestNotificationResponse(testNotificationToken: Self.token)
        )
        let items = attempts.map { SendAttemptItem(attemptDate: ServerFixture.now, sendAttemptResult: $0) }
        appStore.answer(Self.statusPath, CheckTestNotificationResponse(signedPayload: payload, sendAttempts: items))
        let test = TestNotification(target: try target(), transport: appStore, database: fixture.database)
        return await test.run()
    }

    @Test func `a test notification is looked for in the database`() async throws {
        #expect(try await outcome([.success], isDeliveredHere: true) == .stored)
        #expect(try await outcome([.success], isDeliveredHere: false) == .elsewhere)
        #expect(try await outcome([.tlsIssue, .success], isDeliveredHere: true) == .stored)
        #expect(try await outcome([.tlsIssue], isDeliveredHere: false) == .undelivered(.tlsIssue))
    }

    @Test func `every outcome of a test notification says what to do`() {
        let outcomes: [TestNotification.Outcome] =
            SendAttemptResult.documented.filter { $0 != .success }.map { .undelivered($0) }
            + [.elsewhere, .noURL, .noAttempt, .failed("timed_out"), .unreadable("storage_busy")]
        for outcome in outcomes {
            let finding = outcome.finding(ServerFixture.app, isLocal: false)
            #expect(finding.status == .problem)
            #expect(finding.code?.hasPrefix("test_notification_") == true)
            #expect(finding.remedy?.hasSuffix(".") == true)
        }
        for (code, isWaiting) in [
            ("rate_limited", true), ("server_fault", true), ("timed_out", true), ("response_malformed", true),
            ("unauthorized", false), ("key_missing", false), ("environment_not_configured", false),
        ] {
            let remedy = TestNotification.Outcome.failed(code).finding(ServerFixture.app, isLocal: false).remedy
            #expect(remedy?.hasPrefix(isWaiting ? "Wait some minutes" : "Correct the findings") == true, "\(code)")
        }
        #expect(TestNotification.Outcome.stored.finding(ServerFixture.app, isLocal: false).status == .ok)
    }
}
