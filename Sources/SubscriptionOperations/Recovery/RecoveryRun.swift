import AppStoreClient
import AppStoreModel
import AppStoreSigning
import SubscriptionCore
import SubscriptionStorage

/// Compares one window with Apple's history, from its cursor to its end.
///
/// Each part of the history, the counts and the cursor are stored in one transaction. A server that is killed at any
/// point continues there, and nothing is counted twice.
struct RecoveryRun: Sendable {
    /// Another server has taken the work over.
    struct LeaseLost: Error {}

    /// A window after a run.
    struct Progress: Sendable {
        let window: RecoveryWindow
        /// What is known of its pages.
        let repetition: HistoryRepetition
    }

    /// The maximum number of parts of the history in one run, so that a long window does not delay other apps.
    private static let partsMax = 20

    let app: AppRecord
    let api: AppStoreServerAPIClient.App
    let intake: FactIntake
    let verifier: SignedDataVerifier
    let metrics: IntakeMetrics
    let holder: LeaseHolder
    /// Whether it is reported that Apple's history no longer has a span.
    let reportsExpiry: Bool
    /// What earlier runs know of the window's pages.
    let repetition: HistoryRepetition
    let log: RecoveryLog

    private var time: any TimeSource { intake.time }

    /// Runs a window until it is finished, it failed, a query has to be repeated later, or the run is long enough.
    ///
    /// - Returns: The window, with what is known of its pages.
    /// - Throws: ``StorageError``; the last commit stays.
    func run(_ start: RecoveryWindow) async throws(StorageError) -> Result<Progress, LeaseLost> {
        let request = NotificationHistoryRequest(
            startDate: start.from.milliseconds,
            endDate: start.to.milliseconds,
            onlyFailures: start.onlyFailures ? true : nil
        )
        let reader = HistoryReader(
            api,
            request,
            from: start.page.flatMap(PageCursor.init(text:)),
            repetition: repetition
        )
        // The next part is read while one is verified and stored.
        return try await Self.untyped {
            try await withThrowingTaskGroup(of: HistoryReader.Part.self) { group in
                group.addTask { await reader.next() }
                var window = start
                var known = repetition
                var parts = 0
                while let part = try await group.next() {
                    parts += 1
                    let isLast = parts >= Self.partsMax
                    if !isLast, case .more(let next) = part.continuation { group.addTask { await next.next() } }
                    switch try await store(part, isLast: isLast, in: window) {
                    case .failure(let lost): return .failure(lost)
                    case .success(let changed): (window, known) = (changed, part.repetition)
                    }
                }
                return .success(Progress(window: window, repetition: known))
            }
        }
    }

    /// Stores a part with the counts and the cursor.
    ///
    /// - Parameter isLast: Whether the run ends after it; then the lease is returned.
    private func store(
        _ part: HistoryReader.Part,
        isLast: Bool,
        in window: RecoveryWindow
    ) async throws(StorageError) -> Result<RecoveryWindow, LeaseLost> {
        let verified = await RecoveredPart.verifying(
            part.items,
            of: app,
            verifier: verifier,
            metrics: metrics,
            time: time
        )
        do {
            return try await intake.take(together: verified.inputs) { outcomes, storage throws(StorageError) in
                let results = outcomes.map { Result<FactIntake.Outcome, StorageError>.success($0) }
                return try save(window, after: part, isLast: isLast, verified, results, in: storage)
            }
        } catch {
            guard error.mayConcernOneWork, !verified.inputs.isEmpty else { throw error }
            // One notification may be the cause: each is stored alone.
            let outcomes = await GroupCommit(intake: intake, metrics: metrics).commit(verified.inputs)
            for case .failure(let error) in outcomes where error.isRetryable || !error.mayConcernOneWork { throw error }
            let saved = try await intake.database.write { storage throws(StorageError) in
                try save(window, after: part, isLast: isLast, verified, outcomes, in: storage)
            }
            if case .success = saved { log.note(verified.inputs, outcomes, in: window.id) }
            return saved
        }
    }

    private func save(
        _ window: RecoveryWindow,
        after part: HistoryReader.Part,
        isLast: Bool,
        _ verified: RecoveredPart,
        _ outcomes: [Result<FactIntake.Outcome, StorageError>],
        in storage: any StorageWriting
    ) throws(StorageError) -> Result<RecoveryWindow, LeaseLost> {
        var next = window
        next.count(part.items.count, verified, outcomes)
        next.page = part.cursor?.text ?? next.page
        if !part.items.isEmpty { next.noteAnswer() }
        var isOver = true
        switch part.continuation {
        case .more: isOver = isLast
        case .end: next.finish(at: time.now())
        // The server is stopping: the next one continues at once.
        case .failed(let error) where error.code == .cancelled: break
        case .failed(let error): next.note(error, at: time.now(), environment: app.environment)
        }
        guard try holder.renew(in: storage, ends: isOver) else { return .failure(LeaseLost()) }
        let now = time.now()
        try storage.keep(next, of: app, at: now, reportingExpiry: reportsExpiry)
        if window.reason == .request, window.from < next.from, reportsExpiry {
            let expired = ExpiredSpan(from: window.from, to: next.from)
            try storage.keep(expired, before: next, of: app.id, at: now)
        }
        return .success(next)
    }

    /// Task groups throw untyped errors.
    private static func untyped<Value>(_ work: () async throws -> Value) async throws(StorageError) -> Value {
        do {
            return try await work()
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.unavailable, "The server is stopping.", isRetryable: true)
        }
    }
}

extension StorageWriting {
    /// Stores a window, its events, and how far the app is compared.
    ///
    /// A sweep without a gap leaves no window.
    fileprivate func keep(
        _ window: RecoveryWindow,
        of app: AppRecord,
        at now: Timestamp,
        reportingExpiry: Bool
    ) throws(StorageError) {
        if window.state != .finished || window.counts.hasGap || !window.onlyFailures || window.reason == .request {
            try save(window, of: app.id)
        } else {
            try remove(RecoveryWindow.self, TableLookup(of: app.id, equal: [.text(window.id)]))
        }
        let events = window.events(at: now)
        if !events.isEmpty { try append(events, customer: nil, recordedAt: now, app: app.id) }
        guard window.state == .finished || window.counts.missing > 0 else { return }
        let known = try recoveryProgress(of: app.id)
        var progress = known
        let historyStart = RecoverySettings.historyStart(of: app.environment, at: now)
        let expired = progress.note(window, at: now, historyStart: historyStart)
        if progress != known { try save(progress, of: app.id) }
        if let expired, reportingExpiry { try keep(expired, before: window, of: app.id, at: now) }
    }

    /// Stores that Apple's history no longer has a span, with the event.
    fileprivate func keep(
        _ span: ExpiredSpan,
        before window: RecoveryWindow,
        of app: AppID,
        at now: Timestamp
    ) throws(StorageError) {
        let expired = RecoveryWindow.expired(span, before: window, at: now)
        try save(expired, of: app)
        try append(expired.events(at: now), customer: nil, recordedAt: now, app: app)
    }
}
