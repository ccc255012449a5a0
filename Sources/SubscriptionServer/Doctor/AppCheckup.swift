import AppStoreClient
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// All checks of one app in one environment.
struct AppCheckup: Sendable {
    private static let hoursMax = 24 * 8

    let app: AppID
    /// Nil if no key is configured.
    let target: AppStoreTarget?
    /// Nil if it cannot be opened.
    let database: (any SubscriptionDatabase)?
    let configuration: ServerConfiguration
    let sendsTestNotification: Bool
    let transport: any HTTPTransport
    /// The time of the app's clock; nil if its store does not answer.
    let now: Timestamp?

    func findings() async -> [DoctorFinding] {
        let keys = await keyFindings()
        let isRefused = !keys.isEmpty && keys.allSatisfy { $0.status == .problem }
        let test = await testFinding(isRefused: isRefused)
        return keys + [test] + (await storedFindings())
    }

    private func keyFindings() async -> [DoctorFinding] {
        if let target {
            let checkup = KeyCheckup(target: target, transport: transport)
            return KeyCheckup.findings(app, await checkup.trials())
        }
        guard configuration.storeURLs.isEmpty else {
            return [.skipped(.key, app.rawValue, "The app's local store is not followed, or does not answer.")]
        }
        return [KeyCheckup.missing(app)]
    }

    private func testFinding(isRefused: Bool) async -> DoctorFinding {
        func skipped(_ message: String) -> DoctorFinding { .skipped(.testNotification, app.rawValue, message) }
        guard sendsTestNotification else { return skipped("No test notification was requested.") }
        guard let target else { return skipped("A test notification needs a key.") }
        guard !isRefused else { return skipped("A test notification needs a key that Apple accepts.") }
        guard let database else { return skipped("A test notification needs a database that can be read.") }
        let test = TestNotification(target: target, transport: transport, database: database)
        return await test.run().finding(app, isLocal: target.isLocal)
    }

    private struct Stored: Sendable {
        let newest: [EvidenceSummary]
        let hours: [NotificationHour]
        let progress: RecoveryProgress
        let windows: [RecoveryWindow]
        let webhooks: [WebhookReview.Stored]
    }

    private func storedFindings() async -> [DoctorFinding] {
        guard let database else { return [] }
        let stored: Stored
        do throws(StorageError) {
            stored = try await database.read { [app, now] storage throws(StorageError) in
                try Self.read(app, now, storage)
            }
        } catch {
            let (code, remedy) = (error.code.rawValue, DoctorFinding.remedyOfFailedRead(error.code.rawValue))
            return [.problem(.database, code, app.rawValue, error.message, remedy: remedy)]
        }
        let notifications = NotificationReview(
            app: app,
            newest: stored.newest,
            hours: stored.hours,
            rule: QuietRule(configuration.recovery),
            quietSince: stored.progress.quietSince,
            now: now
        )
        let recovery = RecoveryReview(
            app: app,
            progress: stored.progress,
            windows: stored.windows,
            hours: stored.hours,
            settings: configuration.recovery,
            hasKey: target != nil,
            now: now
        )
        let webhooks = WebhookReview(app: app, endpoints: stored.webhooks, now: now)
        let sample = SampleReview(
            app: app,
            database: database,
            policy: configuration.policy,
            newestSequence: stored.newest.last?.sequence ?? 0
        )
        return [notifications.finding] + recovery.findings + webhooks.findings + [await sample.finding()]
    }

    private static func read(
        _ app: AppID,
        _ now: Timestamp?,
        _ storage: any StorageReading
    ) throws(StorageError) -> Stored {
        let hour: Int64 = 3_600_000
        let start = (now ?? Timestamp(milliseconds: 0)).adding(milliseconds: -Int64(hoursMax + 1) * hour)
        return Stored(
            newest: try NewestNotifications(of: app, limit: NotificationReview.newestMax).read(storage),
            hours: try storage.notificationHours(of: app, after: start, limit: hoursMax + 2),
            progress: try storage.recoveryProgress(of: app),
            windows: try storage.recoveryWindows(of: app, limit: RecoveryReview.windowsMax),
            webhooks: try WebhookReview.read(app, storage)
        )
    }
}
