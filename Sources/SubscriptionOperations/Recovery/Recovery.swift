import AppStoreClient
public import AppStoreSigning
public import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Finds what Apple sent and this server does not hold, from Apple's notification history.
///
/// One server of many works for an app at a time. A window that a killed server began continues at its last commit.
public final class Recovery: Sendable {
    /// The number of windows that are compared for an app before another app has its turn.
    private static let windowsMax = 20
    /// The number of refused windows in a row after which the next one waits for an hour.
    private static let refusalsMax = 2
    private static let work = "recovery"

    private struct AppState {
        /// Whether this server has compared the app since it started.
        var hasStarted = false
        /// Whether a sweep has found something since the last comparison.
        var hasFailures = false
        /// The number of automatic windows in a row that Apple refused.
        var failures = 0
        /// When the last of them failed.
        var failedAt: Timestamp?
        /// When the counts of arrived notifications were written.
        var countedAt: Timestamp?
        /// The hour of the last check of the rate.
        var checkedHour: Timestamp?
        /// The pages of the window that this server worked on last.
        var repetition: HistoryRepetition?

        /// Whether Apple refused the last windows only a short time ago.
        func isPaused(at now: Timestamp) -> Bool {
            guard failures >= Recovery.refusalsMax, let failedAt else { return false }
            return failedAt <= now && now < failedAt.adding(milliseconds: RecoverySettings.outageMilliseconds)
        }
    }

    private let intake: FactIntake
    private let verifier: SignedDataVerifier
    let access: AppStoreAccess
    let settings: RecoverySettings
    /// When this server started.
    let startedAt: Timestamp
    private let metrics: IntakeMetrics
    private let recoveryMetrics: RecoveryMetrics
    private let tally: NotificationTally
    private let realTime: any TimeSource
    private let server = RandomName.make()
    private let states = Mutex<[AppID: AppState]>([:])
    private let gate = SerialGate()
    private let rounds = Atomic(0)
    let wakeUp = WakeUp()
    let log = RecoveryLog()

    private var database: any SubscriptionDatabase { intake.database }
    private var time: any TimeSource { intake.time }

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - ingestion: Counts the notifications that arrive.
    ///   - verifier: The verifier with the trusted roots and the configured apps.
    ///   - access: The clients of the App Store Server API; apps without one are not compared.
    ///   - time: The clock.
    ///   - realTime: Real time, for the leases among servers.
    public init(
        database: any SubscriptionDatabase,
        ingestion: Ingestion,
        verifier: SignedDataVerifier,
        access: AppStoreAccess,
        policy: AccessPolicy,
        settings: RecoverySettings,
        time: any TimeSource,
        realTime: any TimeSource = SystemTimeSource(),
        metrics: IntakeMetrics = IntakeMetrics(),
        recoveryMetrics: RecoveryMetrics = RecoveryMetrics()
    ) {
        intake = FactIntake(database: database, policy: policy, time: time, consumption: metrics.consumption)
        self.verifier = verifier
        self.access = access
        self.settings = settings
        startedAt = time.now()
        self.metrics = metrics
        self.recoveryMetrics = recoveryMetrics
        self.realTime = realTime
        tally = ingestion.tally
    }

    /// Whether a round has ended: everything due was compared, or Apple did not answer.
    public var hasEndedRound: Bool { rounds.load(ordering: .relaxed) > 0 }

    /// Compares every window that is due, of every app with a client.
    ///
    /// - Throws: ``OperationError`` with storage's codes; other apps are compared first.
    public func settle() async throws(OperationError) {
        try await gate.run { () async throws(OperationError) in
            defer { if !Task.isCancelled { rounds.add(1, ordering: .relaxed) } }
            var failure: StorageError?
            var isUnfinished = true
            // A long window is compared in parts. The other apps have their turns in between. A failure is reported
            // before the next round.
            while isUnfinished, failure == nil, time.dispute == nil {
                isUnfinished = false
                for app in try await apps() {
                    do throws(StorageError) {
                        if try await takeTurn(of: app) { isUnfinished = true }
                    } catch {
                        failure = error
                    }
                    if Task.isCancelled { return }
                }
            }
            if let failure { throw OperationError(failure) }
        }
    }

    /// The apps that can be compared.
    private func apps() async throws(OperationError) -> [AppRecord] {
        do {
            let apps = try await database.read { storage throws(StorageError) in try storage.apps() }
            return apps.filter { access.hasEntry(of: $0.id) }
        } catch {
            throw OperationError(error)
        }
    }

    /// Compares the due windows of an app, of a long one only a part.
    ///
    /// - Returns: Whether a window must go on at once.
    private func takeTurn(of app: AppRecord) async throws(StorageError) -> Bool {
        try await checkRate(of: app.id)
        for _ in 0..<Self.windowsMax {
            if Task.isCancelled { return false }
            guard let start = try await next(for: app), let api = access.api(of: app.id) else { return false }
            let run = RecoveryRun(
                app: app,
                api: api,
                intake: intake,
                verifier: verifier,
                metrics: metrics,
                holder: holder(of: app.id),
                // A store's clock may pass the whole history in one step, while the server is running.
                reportsExpiry: !settings.isClockFollowed || start.reason == .start,
                repetition: repetition(of: start, app: app.id),
                log: log
            )
            guard case .success(let progress) = try await run.run(start) else { return false }
            let window = progress.window
            log.note(window, of: app.id)
            states.withLock { $0[app.id, default: AppState()].repetition = progress.repetition }
            let isDue = window.retryAt.map { $0 <= time.now() } ?? true
            if window.state == .running, window.page != start.page, isDue { return true }
            note(window, of: app.id)
            // A failed query is not repeated at once.
            if window.state == .running { return false }
        }
        return false
    }

    /// Takes the lease and returns the window to work on; nil if nothing is due or another server does it.
    private func next(for app: AppRecord) async throws(StorageError) -> RecoveryWindow? {
        let now = time.now()
        let isDue = try await database.read { storage throws(StorageError) in
            try self.window(for: app, at: now, in: storage) != nil
        }
        guard isDue else { return nil }
        let holder = holder(of: app.id)
        return try await database.write { storage throws(StorageError) -> RecoveryWindow? in
            guard try holder.take(in: storage) else { return nil }
            guard let window = try self.window(for: app, at: now, in: storage) else {
                _ = try holder.renew(in: storage, ends: true)
                return nil
            }
            // A sweep without a gap leaves no row.
            if window.reason != .sweep { try storage.save(window, of: app.id) }
            let expiry = now.adding(milliseconds: -RecoverySettings.keptMilliseconds)
            try storage.removeRecoveryWindows(before: expiry, limit: 100, of: app.id)
            return window
        }
    }

    /// The oldest running window whose turn it is, or a new one if one is due.
    private func window(
        for app: AppRecord,
        at now: Timestamp,
        in storage: any StorageReading
    ) throws(StorageError) -> RecoveryWindow? {
        let open = try storage.openRecoveryWindows(of: app.id, limit: 100)
        if let window = open.first(where: { $0.retryAt.map { $0 <= now } ?? true }) { return window }
        // A query that Apple does not answer is not multiplied.
        guard open.allSatisfy({ $0.reason == .request }) else { return nil }
        let state = states.withLock { $0[app.id] ?? AppState() }
        guard !state.isPaused(at: now) else { return nil }
        let plan = RecoveryPlan(
            progress: try storage.recoveryProgress(of: app.id),
            hasStarted: state.hasStarted,
            hasFailures: state.hasFailures,
            settings: settings,
            environment: app.environment
        )
        return plan.window(at: now).map { window in
            RecoveryWindow(
                id: .make(),
                createdAt: now,
                from: window.from,
                to: window.to,
                onlyFailures: window.onlyFailures,
                reason: window.reason
            )
        }
    }

    private func note(_ window: RecoveryWindow, of app: AppID) {
        recoveryMetrics.count(window)
        guard window.state != .running else { return }
        states.withLock { states in
            guard window.reason != .request else { return }
            var state = states[app] ?? AppState()
            let isRefused = window.state == .failed
            state.failures = isRefused ? state.failures + 1 : 0
            state.failedAt = isRefused ? window.finishedAt : nil
            if window.onlyFailures {
                if window.counts.hasGap { state.hasFailures = true }
            } else {
                // One from before this server started does not have the time until the start.
                if window.reason == .start || window.createdAt >= startedAt { state.hasStarted = true }
                state.hasFailures = false
            }
            states[app] = state
        }
    }

    /// What this server knows of the pages of a window.
    private func repetition(of window: RecoveryWindow, app: AppID) -> HistoryRepetition {
        if let known = states.withLock({ $0[app]?.repetition }), known.isPass(of: window) { return known }
        return HistoryRepetition(of: window)
    }

    private func holder(of app: AppID) -> LeaseHolder {
        LeaseHolder(
            work: Self.work,
            app: app,
            name: server,
            time: realTime,
            milliseconds: RecoverySettings.leaseMilliseconds
        )
    }
}

extension Recovery {
    /// How long after the end of an hour its rate is checked: by then every server has written its counts.
    private static let checkDelayMilliseconds: Int64 = 300_000
    /// The time between two writes of the counts.
    private static let countingMilliseconds: Int64 = 60_000

    /// Writes the counts of arrived notifications and, once an hour, checks whether they are unusually quiet.
    private func checkRate(of app: AppID) async throws(StorageError) {
        let now = time.now()
        let checked = now.adding(milliseconds: -Self.checkDelayMilliseconds)
        let hour = NotificationHour.start(of: checked)
        let state = states.withLock { $0[app] ?? AppState() }
        let isCheckDue = state.checkedHour != hour
        let isRecent = state.countedAt.map { $0 <= now && now < $0.adding(milliseconds: Self.countingMilliseconds) }
        guard isCheckDue || isRecent != true else { return }
        let counted = tally.take(of: app)
        guard isCheckDue || !counted.isEmpty else { return }
        do {
            try await database.write { storage throws(StorageError) in
                for arrived in counted { try storage.add(arrived, of: app) }
                if isCheckDue { try self.checkRate(of: app, at: checked, in: storage) }
            }
        } catch {
            tally.restore(counted, of: app)
            throw error
        }
        states.withLock { states in
            states[app, default: AppState()].checkedHour = hour
            states[app, default: AppState()].countedAt = now
        }
    }

    private func checkRate(of app: AppID, at now: Timestamp, in storage: any StorageWriting) throws(StorageError) {
        let known: Int64 = Int64(QuietRule.days + 2) * 86_400_000
        let start = NotificationHour.start(of: now).adding(milliseconds: -known)
        try storage.removeNotificationHours(before: start, limit: 1_000, of: app)
        let hours = try storage.notificationHours(of: app, after: start, limit: 1_000)
        var progress = try storage.recoveryProgress(of: app)
        let quiet = QuietRule(settings).quietTime(hours, at: now, reportedSince: progress.quietSince)
        guard (quiet == nil) != (progress.quietSince == nil) else { return }
        // It is over only when notifications arrive again, not when the earlier days are forgotten.
        let lastHour = hours.last?.startsAt
        if quiet == nil, let since = progress.quietSince, lastHour.map({ $0 < since }) ?? true { return }
        progress.quietSince = quiet?.since
        try storage.save(progress, of: app)
        let event = SubscriptionEvent(
            kind: quiet == nil ? .notificationsResumed : .notificationsQuiet,
            occurredAt: now,
            details: quiet.map { quiet in
                [
                    "since": "\(quiet.since.milliseconds)", "arrived": "\(quiet.arrived)",
                    "usual": "\(quiet.usual)",
                ]
            }
        )
        try storage.append([event], customer: nil, recordedAt: now, app: app)
    }
}

extension RecoveryWindowID {
    /// A new random identifier.
    static func make() -> RecoveryWindowID { RecoveryWindowID(rawValue: "rw_" + RandomName.make()) }
}
