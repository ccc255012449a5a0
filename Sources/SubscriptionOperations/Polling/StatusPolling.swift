import AppStoreClient
public import AppStoreSigning
public import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Asks Apple for the status of subscriptions when it can matter and no fact came, and for the history where
/// periods are not known.
///
/// What is due lies in order of time in the database, so that a run costs the same with any number of subscriptions.
/// One server of many asks for an app at a time.
public final class StatusPolling: Sendable {
    /// The number of entries that are read at a time.
    private static let batchSize = 100
    private static let work = "status_polls"
    static let firstPause: Int64 = 60_000
    static let longestPause: Int64 = 3_600_000

    let intake: FactIntake
    private let inquiry: StatusInquiry
    let histories: AccountHistories
    private let pace: QueryPace
    private let access: AppStoreAccess
    let settings: PollingSettings
    let metrics: PollingMetrics
    private let realTime: any TimeSource
    private let server = RandomName.make()
    private let gate = SerialGate()
    private let pauses = Mutex<[AppID: Pause]>([:])

    /// An app is not asked about for a while after queries that all found Apple away.
    private struct Pause {
        let since: Timestamp
        let until: Timestamp
        /// How often that happened in a row.
        let count: Int
    }

    var database: any SubscriptionDatabase { intake.database }
    private var time: any TimeSource { intake.time }

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - verifier: The verifier with the trusted roots and the configured apps.
    ///   - access: The clients of the App Store Server API; apps without one are not asked about.
    ///   - time: The clock.
    ///   - realTime: Real time, for the leases among servers.
    ///   - waiting: Real time, for the pace of the queries.
    public init(
        database: any SubscriptionDatabase,
        verifier: SignedDataVerifier,
        access: AppStoreAccess,
        policy: AccessPolicy,
        settings: PollingSettings,
        time: any TimeSource,
        realTime: any TimeSource = SystemTimeSource(),
        waiting: any Clock<Duration> = ContinuousClock(),
        metrics: IntakeMetrics = IntakeMetrics(),
        pollingMetrics: PollingMetrics = PollingMetrics()
    ) {
        intake = FactIntake(database: database, policy: policy, time: time)
        // The slots of requests are not taken, and an answer comes before the lease ends.
        var limits = access.limits
        limits.lookupsMax = PollingSettings.queriesMax
        limits.lookupMillisecondsMax = min(limits.lookupMillisecondsMax, PollingSettings.queryMillisecondsMax)
        inquiry = StatusInquiry(verifier: verifier, access: access, limits: limits, metrics: metrics, time: time)
        pace = QueryPace(settings, clock: waiting)
        histories = AccountHistories(inquiry: inquiry, pace: pace)
        self.access = access
        self.settings = settings
        self.metrics = pollingMetrics
        self.realTime = realTime
    }

    /// Asks about every subscription that is due, oldest first.
    ///
    /// - Throws: ``OperationError`` with storage's codes; other apps are asked about first.
    public func settle() async throws(OperationError) {
        guard settings.isAutomatic else { return }
        try await gate.run { () async throws(OperationError) in
            guard time.dispute == nil else { return }
            var failure: StorageError?
            for app in try await apps() {
                do throws(StorageError) {
                    try await settle(app)
                } catch {
                    failure = error
                }
                if Task.isCancelled { return }
            }
            if let failure { throw OperationError(failure) }
        }
    }

    private func apps() async throws(OperationError) -> [AppRecord] {
        do {
            let apps = try await database.read { storage throws(StorageError) in try storage.apps() }
            return apps.filter { access.hasEntry(of: $0.id) }
        } catch {
            throw OperationError(error)
        }
    }

    private func settle(_ app: AppRecord) async throws(StorageError) {
        let holder = LeaseHolder(
            work: Self.work,
            app: app.id,
            name: server,
            time: realTime,
            milliseconds: PollingSettings.leaseMilliseconds
        )
        try await fill(app.id, holder)
        var hasLease = false
        // After an error it expires by itself.
        try await settle(app, holder, hasLease: &hasLease)
        guard hasLease else { return }
        // Another server need not wait until it expires.
        _ = try await database.write { storage throws(StorageError) in try holder.renew(in: storage, ends: true) }
    }

    private func settle(
        _ app: AppRecord,
        _ holder: LeaseHolder,
        hasLease: inout Bool
    ) async throws(StorageError) {
        // Each entry once, so that a long backlog of one app does not keep the others waiting.
        let end = time.now()
        while !Task.isCancelled, !isPaused(app.id) {
            let now = time.now()
            let due = try await database.read { storage throws(StorageError) in
                try storage.statusPolls(of: app.id, until: end, limit: Self.batchSize)
            }
            let lag = due.first.map { now.milliseconds - $0.dueAt.milliseconds } ?? 0
            metrics.setLag(milliseconds: lag, of: app.id.rawValue)
            guard !due.isEmpty else { return }
            hasLease = try await take(holder)
            guard hasLease else { return }
            let needed = try await needed(due, of: app.id, at: now)
            hasLease = try await ask(about: needed, of: app, at: now, holder)
            guard hasLease else { return }
        }
    }

    private func take(_ holder: LeaseHolder) async throws(StorageError) -> Bool {
        try await database.write { storage throws(StorageError) in try holder.take(in: storage) }
    }

    /// Asks about subscriptions, some at the same time, within the limit of queries.
    ///
    /// - Returns: Whether to go on. False if another server has taken the work over.
    private func ask(
        about polls: [DuePoll],
        of app: AppRecord,
        at now: Timestamp,
        _ holder: LeaseHolder
    ) async throws(StorageError) -> Bool {
        var rest = polls[...]
        var done: Set<OriginalTransactionID> = []
        while !rest.isEmpty {
            if Task.isCancelled { return true }
            var group: [DuePoll] = []
            while group.count < settings.groupSize(in: app.environment), let due = rest.popFirst() {
                // An answer is about all subscriptions of a store account; such an entry is moved at the next look.
                if !done.contains(due.poll.purchaseID) { group.append(due) }
            }
            let answers = await answers(about: group, of: app.id)
            var failures = 0
            for (due, answer) in answers {
                // A history that fails while the status comes is no sign that Apple is away.
                switch answer {
                case .success(let answer): done.formUnion(answer.found.purchases)
                case .failure(let error): failures += error.concernsAllQueries ? 1 : 0
                }
                guard try await store(answer, about: due, of: app.id, at: now, holder) else { return false }
            }
            note(failures: failures, of: answers.count, app: app.id)
            if isPaused(app.id) { return true }
        }
        return true
    }

    private typealias Answer = Result<PollAnswer, OperationError>

    private func answers(about polls: [DuePoll], of app: AppID) async -> [(DuePoll, Answer)] {
        await withTaskGroup(of: (DuePoll, Answer).self) { [inquiry, histories, pace] group in
            for due in polls {
                let poll = due.poll
                group.addTask {
                    await pace.wait(for: app)
                    do throws(OperationError) {
                        var answer = PollAnswer(found: try await inquiry.subscriptions(of: poll.purchaseID, app: app))
                        guard poll.wantsHistory else { return (due, .success(answer)) }
                        answer.add(await histories.read(of: poll.purchaseID, app: app))
                        return (due, .success(answer))
                    } catch {
                        return (due, .failure(error))
                    }
                }
            }
            var answers: [(DuePoll, Answer)] = []
            for await answer in group { answers.append(answer) }
            return answers
        }
    }

    /// Stores an answer and the next entry in one transaction.
    ///
    /// An answer that storage refuses permanently is a failed query, so that it does not stop the others.
    ///
    /// - Returns: False if another server has taken the work over.
    private func store(
        _ answer: Answer,
        about due: DuePoll,
        of app: AppID,
        at now: Timestamp,
        _ holder: LeaseHolder
    ) async throws(StorageError) -> Bool {
        // The server is stopping: the query is repeated by the next one.
        if case .failure(let error) = answer, !error.isAnswer, Task.isCancelled { return true }
        if case .success(let answer) = answer, answer.history == .failed, Task.isCancelled { return true }
        do throws(StorageError) {
            let goesOn = try await keep(answer, about: due, of: app, at: now, holder)
            if goesOn, case .success(let answer) = answer { histories.noteStored(answer.found, app: app) }
            metrics.count(PollingMetrics.Result(answer))
            return goesOn
        } catch {
            guard case .success = answer, error.mayConcernOneWork, !error.isRetryable else { throw error }
            metrics.count(.failed)
            return try await keep(.failure(OperationError(error)), about: due, of: app, at: now, holder)
        }
    }

    private func keep(
        _ answer: Answer,
        about due: DuePoll,
        of app: AppID,
        at now: Timestamp,
        _ holder: LeaseHolder
    ) async throws(StorageError) -> Bool {
        let plan = PollPlan(settings: settings, policy: intake.policy)
        let poll = due.poll
        let given = try? answer.get()
        let inputs = given.map { [$0.input(for: due, of: app)] } ?? []
        let isAnswered = PollingMetrics.Result(answer) != .failed
        return try await intake.take(together: inputs) { _, storage throws(StorageError) in
            guard try holder.renew(in: storage, ends: false) else { return false }
            try storage.remove(poll, of: app)
            var next: StatusPoll?
            if given?.history == .unfinished {
                next = poll
                next?.dueAt = now.adding(milliseconds: Self.firstPause)
            } else if isAnswered {
                let ledger = try storage.ledger(of: poll.purchaseID, app: app)
                if given?.history == .notWanted, due.isGapNew(in: ledger) {
                    next = StatusPoll(dueAt: now, purchaseID: poll.purchaseID, wantsHistory: true)
                } else {
                    // Apple may repeat an older signature: it is asked again at the next time of the plan.
                    next = plan.next(for: ledger, at: now, askedAt: now)
                        .map { StatusPoll(dueAt: $0, purchaseID: poll.purchaseID) }
                }
            } else {
                var retried = poll.retried(at: now, first: Self.firstPause, longest: Self.longestPause)
                if given != nil {
                    // The status came without the history. The plan may want the next status before the retry.
                    let ledger = try storage.ledger(of: poll.purchaseID, app: app)
                    let planned = plan.next(for: ledger, at: now, askedAt: now)
                    retried.dueAt = min(retried.dueAt, planned ?? retried.dueAt)
                }
                next = retried
            }
            if let next { try storage.plan(next, of: app) }
            return true
        }
    }

    private func isPaused(_ app: AppID) -> Bool {
        let now = time.now()
        // A pause from the future is of a clock that was set back.
        return pauses.withLock { $0[app].map { $0.since <= now && now < $0.until } ?? false }
    }

    /// After queries that all failed because Apple is away, or refuses the key, an app is left alone for a while.
    private func note(failures: Int, of count: Int, app: AppID) {
        guard count > 0 else { return }
        let now = time.now()
        pauses.withLock { pauses in
            guard failures == count else { return pauses[app] = nil }
            let number = (pauses[app]?.count ?? 0) + 1
            let pause = min(Self.firstPause << Int64(min(number - 1, 6)), Self.longestPause)
            pauses[app] = Pause(since: now, until: now.adding(milliseconds: pause), count: number)
        }
    }
}

extension StatusPolling: SettledWork {
    /// What a failure means.
    public static let failed = "Apple was not asked for the status of due subscriptions"
}

extension StatusPolling {
    /// Adds an entry for each purchase that was stored before there were entries, some at a time.
    private func fill(_ app: AppID, _ holder: LeaseHolder) async throws(StorageError) {
        let progress = try await database.read { storage throws(StorageError) in
            try storage.pollingProgress(of: app)
        }
        guard !progress.isFilled, try await take(holder) else { return }
        var isFilled = false
        while !isFilled, !Task.isCancelled {
            isFilled = try await database.write { [time] storage throws(StorageError) in
                guard try holder.renew(in: storage, ends: false) else { return true }
                var progress = try storage.pollingProgress(of: app)
                let purchases = try storage.purchases(
                    derivedAfter: Timestamp(milliseconds: .min),
                    of: app,
                    after: progress.filledThrough,
                    limit: Self.batchSize
                )
                for purchase in purchases {
                    let poll = StatusPoll(dueAt: time.now(), purchaseID: purchase, wantsHistory: true)
                    try storage.insert(once: poll, in: app)
                }
                progress.filledThrough = purchases.last ?? progress.filledThrough
                progress.isFilled = purchases.isEmpty
                try storage.save(progress, of: app)
                if progress.isFilled { _ = try holder.renew(in: storage, ends: true) }
                return progress.isFilled
            }
        }
    }
}

extension PollingMetrics.Result {
    fileprivate init(_ answer: Swift.Result<PollAnswer, OperationError>) {
        switch answer {
        case .success(let answer): self = answer.history == .failed ? .failed : .answered
        case .failure(let error): self = error.isAnswer ? .unknown : .failed
        }
    }
}

extension OperationError {
    /// Whether Apple answered that it cannot tell anything; another query would not change that.
    var isAnswer: Bool { code == "transaction_not_found" || code == "app_store_refused" }

    /// Whether other queries would fail in the same way. An answer of Apple that is of no use says nothing of others.
    fileprivate var concernsAllQueries: Bool {
        let codes: Set<String> = [
            "app_store_unavailable", "app_store_rate_limited", "app_store_unauthorized", "app_store_busy",
            "app_store_api_not_configured",
        ]
        return codes.contains(code) && !isRepeatAsked
    }
}
