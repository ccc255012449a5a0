import AppStoreClient
import SubscriptionCore
public import SubscriptionStorage

/// Answers Apple's questions about the consumption of purchases, within 12 hours.
///
/// Any number of servers may do it: each takes some requests for a while. An answer can be sent again without harm, so
/// a lost one is repeated.
public struct ConsumptionAnswering: Sendable {
    /// How long a server has a taken request.
    private static let takenMilliseconds: Int64 = 120_000
    /// How much earlier than its time a request is due. A local App Store signs some milliseconds later than its
    /// clock, which may stand still.
    private static let earlyMilliseconds: Int64 = 1_000
    /// The number of requests that are taken together.
    private static let batchSize = 5

    private let database: any SubscriptionDatabase
    private let access: AppStoreAccess
    private let call: ConsumptionCall
    private let settings: ConsumptionSettings
    private let time: any TimeSource
    private let metrics: ConsumptionMetrics

    /// Makes the use case.
    ///
    /// - Parameter access: The clients of the App Store Server API.
    public init(
        database: any SubscriptionDatabase,
        access: AppStoreAccess,
        settings: ConsumptionSettings,
        time: any TimeSource,
        metrics: ConsumptionMetrics = ConsumptionMetrics()
    ) {
        self.database = database
        self.access = access
        self.settings = settings
        self.time = time
        self.metrics = metrics
        call = ConsumptionCall(access: access)
    }

    /// Answers every request that is due.
    ///
    /// - Throws: ``OperationError``: the last failure of a call, after all were made, or storage's codes.
    public func settle() async throws(OperationError) {
        guard time.dispute == nil else { return }
        var failure: OperationError?
        do {
            var apps = try await database.read { storage throws(StorageError) in try storage.apps().map(\.id) }
            // The apps take turns, so that many requests of one do not delay the others.
            while !apps.isEmpty {
                var busy: [AppID] = []
                for app in apps where !Task.isCancelled {
                    let due = try await take(app)
                    for request in due { failure = try await answer(request, app: app) ?? failure }
                    if !due.isEmpty { busy.append(app) }
                }
                apps = busy
            }
        } catch {
            throw OperationError(error)
        }
        if let failure { throw failure }
    }

    /// Takes some of the due requests, so that no other server answers them at the same time.
    private func take(_ app: AppID) async throws(StorageError) -> [RefundRequest] {
        let now = time.now()
        let end = now.adding(milliseconds: Self.earlyMilliseconds)
        let due = try await database.read { storage throws(StorageError) in
            try storage.refundRequests(toAnswerUntil: end, app: app, limit: Self.batchSize)
        }
        guard !due.isEmpty else { return [] }
        return try await database.write { storage throws(StorageError) in
            // The look-up by purchase takes the locks, all together and in the same order as the intake.
            _ = try storage.refundRequests(about: due.map(\.purchaseID), app: app, limit: 1)
            var taken: [RefundRequest] = []
            for request in due {
                guard var request = try storage.refundRequest(request.id, of: app),
                    request.checkAt.map({ $0 <= end }) ?? false
                else { continue }
                request.checkAt = now.adding(milliseconds: Self.takenMilliseconds)
                try storage.save(request, of: app)
                taken.append(request)
            }
            return taken
        }
    }

    /// What is known about a request.
    private struct Known: Sendable {
        var facts: ConsumptionFacts
        var customer: CustomerID?
        var accountToken: String?
    }

    /// Decides and sends the answer to a request.
    ///
    /// - Returns: Why the answer could not be sent; then it is tried again.
    private func answer(_ request: RefundRequest, app: AppID) async throws(StorageError) -> OperationError? {
        let now = time.now()
        guard now < request.dueBy else {
            return try await finish(request, app: app) { row in
                if row.checkAt == request.checkAt { row.noteExpiry(at: now) }
            }
        }
        let known: Known
        switch try await read(request, app: app) {
        case .success(let found?): known = found
        // Apple decided meanwhile, a report came, or another server took it.
        case .success(nil): return nil
        case .failure(let error):
            return try await retry(request, after: OperationError(error), takenUntil: request.checkAt, app: app)
        }
        let (decision, facts, problem) = await decide(request, known)
        var decided = request
        decided.noteDecision(decision, facts: facts, hookProblem: problem)
        decided.isAnsweredByHook = settings.hook != nil && problem == nil
        switch decision.outcome {
        case .withhold(let reason):
            // The backend may decide otherwise when it answers again. It cannot for a shared purchase.
            if let problem, reason != .shared {
                return try await retry(decided, after: problem.beside(reason), takenUntil: request.checkAt, app: app)
            }
            decided.noteWithheld(reason, isPolicyKnown: settings.policy != nil, at: now)
            return try await keep(decided, takenUntil: request.checkAt, app: app)
        case .send(let content):
            // The backend took its time. Meanwhile a report may have come, or the owner may have changed.
            guard try await isTaken(request, app: app) else { return nil }
            let outcome = await call.send(
                content,
                about: request,
                facts: facts,
                accountToken: known.accountToken,
                version: settings.version,
                app: app
            )
            return try await note(outcome, of: decided, takenUntil: request.checkAt, app: app)
        }
    }

    /// Reads what is known about a request that this server has taken; nil if it has it no longer.
    ///
    /// - Returns: A failure if the data of this customer cannot be read. It does not stop other requests.
    private func read(_ request: RefundRequest, app: AppID) async throws(StorageError) -> Result<Known?, StorageError> {
        do throws(StorageError) {
            let known = try await database.read { storage throws(StorageError) -> Known? in
                guard try storage.isTaken(request, app: app) else { return nil }
                guard let facts = try storage.consumptionFacts(of: request, app: app) else {
                    throw .unreadablePurchase
                }
                let ledger = try storage.ledger(of: request.purchaseID, app: app)
                return Known(
                    facts: facts,
                    customer: try storage.purchase(request.purchaseID, of: app)?.customerID,
                    accountToken: ledger[request.transactionID]?.accountToken
                )
            }
            return .success(known)
        } catch  where error.mayConcernOneWork {
            return .failure(error)
        }
    }

    /// Whether this server still has a request that it has taken.
    private func isTaken(_ request: RefundRequest, app: AppID) async throws(StorageError) -> Bool {
        try await database.read { storage throws(StorageError) in try storage.isTaken(request, app: app) }
    }

    /// Stores why a request has no answer yet, and when it is tried again.
    private func retry(
        _ request: RefundRequest,
        after error: OperationError,
        takenUntil taken: Timestamp?,
        app: AppID
    ) async throws(StorageError) -> OperationError? {
        var request = request
        let error = error.repeated(about: request)
        request.noteFailure(error, next: request.nextTry(after: time.now()))
        metrics.countFailure()
        _ = try await keep(request, takenUntil: taken, app: app)
        return error
    }

    private func note(
        _ outcome: ConsumptionCall.Outcome,
        of decided: RefundRequest,
        takenUntil taken: Timestamp?,
        app: AppID
    ) async throws(StorageError) -> OperationError? {
        let now = time.now()
        var decided = decided
        switch outcome {
        case .sent(let version): decided.noteSent(version: version, at: now)
        case .refused(let error): decided.noteRefusal(error, at: now)
        case .failed(let error):
            return try await retry(decided, after: error, takenUntil: taken, app: app)
        }
        return try await keep(decided, takenUntil: taken, app: app)
    }

    private func keep(
        _ decided: RefundRequest,
        takenUntil taken: Timestamp?,
        app: AppID
    ) async throws(StorageError) -> OperationError? {
        try await finish(decided, app: app) { $0.copyAnswer(of: decided, takenUntil: taken) }
    }

    /// Asks the developer's backend, then the policy.
    private func decide(
        _ request: RefundRequest,
        _ known: Known
    ) async -> (ConsumptionDecision, ConsumptionFacts, OperationError?) {
        let policy = settings.policy ?? ConsumptionPolicy(otherwise: .noAnswer)
        var problem: OperationError?
        // An answer of the backend that did not reach Apple stands.
        if request.isAnsweredByHook, request.attempts > 0, let answer = request.answer, let facts = request.facts {
            var present = facts
            if known.facts.consents == false { present.consents = false }
            let decision = ConsumptionDecision(
                answer,
                rule: nil,
                on: present,
                sampleProvided: policy.sampleProvided
            )
            return (decision, present, nil)
        }
        if let hook = settings.hook {
            do throws(OperationError) {
                let answer = try await hook.answer(to: request, facts: known.facts, customer: known.customer)
                metrics.countHook(isAnswered: true)
                let decision = ConsumptionDecision(
                    answer.answer,
                    rule: nil,
                    on: answer.facts,
                    sampleProvided: policy.sampleProvided
                )
                return (decision, answer.facts, nil)
            } catch {
                metrics.countHook(isAnswered: false)
                problem = error
            }
        }
        return (policy.decision(on: known.facts), known.facts, problem)
    }

    /// Stores what became of a request, unless Apple decided meanwhile.
    private func finish(
        _ request: RefundRequest,
        app: AppID,
        _ change: @escaping @Sendable (inout RefundRequest) -> Void
    ) async throws(StorageError) -> OperationError? {
        let now = time.now()
        let state = try await database.write { storage throws(StorageError) -> RefundRequest.State? in
            let known = try storage.refundRequests(
                about: request.purchaseID,
                app: app,
                limit: RefundRequests.listedMax
            )
            guard var row = known.first(where: { $0.id == request.id }) else { return nil }
            let before = row.state
            change(&row)
            try storage.save(row, of: app)
            // An answer that was sent when Apple decided has an event too.
            guard row.state != before, row.state != .waiting else { return nil }
            try storage.recordEnd(of: row, at: now, app: app)
            // It was counted when Apple decided.
            return before == .waiting ? row.state : nil
        }
        if let state { metrics.count(state) }
        return nil
    }
}

extension ConsumptionAnswering: SettledWork {
    /// What a failure means.
    public static let failed = "A refund request was not answered"
}

extension StorageReading {
    /// Whether a request waits, and has not been made due by a report or taken by another server meanwhile.
    fileprivate func isTaken(_ request: RefundRequest, app: AppID) throws(StorageError) -> Bool {
        let row = try refundRequest(request.id, of: app)
        return row?.state == .waiting && row?.checkAt == request.checkAt
    }
}

extension StorageError {
    /// The purchase of a refund request has no transaction, although its notification has one.
    fileprivate static let unreadablePurchase = StorageError(
        .corrupt,
        "The purchase of a refund request cannot be read. Run perennial rebuild --verify.",
        isRetryable: false
    )
}

extension StorageWriting {
    /// Adds an event about the end of a refund request.
    ///
    /// - Throws: ``StorageError``.
    func recordEnd(of request: RefundRequest, at now: Timestamp, app: AppID) throws(StorageError) {
        let owner = try purchase(request.purchaseID, of: app)?.customerID
        try record(SubscriptionEvent(request, at: now), owner: owner, at: now, app: app)
    }

    /// Adds an event about a purchase that changes nothing.
    private func record(
        _ event: SubscriptionEvent,
        owner: CustomerID?,
        at now: Timestamp,
        app: AppID
    ) throws(StorageError) {
        guard let owner else { return try append([event], customer: nil, recordedAt: now, app: app) }
        try CustomerChanges(of: [owner], app: app, now: now, storage: self)
            .recordAndBumpVersions(events: [event], owner: owner, changed: false)
    }
}

extension SubscriptionEvent {
    fileprivate init(_ request: RefundRequest, at now: Timestamp) {
        var details = ["refund_request_id": request.id.rawValue]
        details["reason"] = request.reason
        details["answer"] = request.answer?.rawValue
        details["because"] = request.state == .answered ? nil : request.failure?.code
        self.init(
            kind: request.state == .answered ? .refundRequestAnswered : .refundRequestUnanswered,
            occurredAt: now,
            purchaseID: request.purchaseID,
            productID: request.productID,
            transactionID: request.transactionID,
            details: details
        )
    }
}
