import SubscriptionCore
import SubscriptionStorage

extension WebhookSession {
    // MARK: - Results

    /// Takes the result of a request.
    mutating func take(
        _ answer: Answer,
        of delivery: WebhookDelivery,
        _ entry: DeliveryWindow.Item?,
        isProbe: Bool
    ) {
        inFlight.remove(delivery.sequence)
        switch answer {
        case .interrupted: isEnding = true
        case .failed(let error):
            // The results of the others are stored first.
            (failure, isEnding) = (error, true)
        case .nothing:
            if entry == nil {
                commit.removed.insert(delivery.sequence)
                release(delivery)
                openCount -= 1
            }
            settle(entry, .done)
        case .attempt(let attempt, let body):
            take(attempt, body, of: delivery, entry, isProbe: isProbe)
        }
    }

    private mutating func take(
        _ attempt: WebhookAttempt,
        _ body: [UInt8]?,
        of delivery: WebhookDelivery,
        _ entry: DeliveryWindow.Item?,
        isProbe: Bool
    ) {
        let now = context.time.now()
        var row = delivery
        row.body = body ?? row.body
        row.attemptCount += 1
        row.attempts = attempt.appended(to: row.attempts)
        if attempt.isSuccess {
            health.succeed()
            requestsMax = min(requestsMax + 1, context.requestsMax)
            commit.deliveredAt = now
            row.settle(.delivered, at: now)
        } else {
            if !attempt.isImpossible { commit.failure = attempt.outcome }
            // Without a message nothing was probed, and the delivery waits as usual.
            let isProbe = isProbe && !attempt.isImpossible
            let retryAfter = attempt.retryAfter(now: context.realTime.now())
            if !attempt.isImpossible { fail(retryAfter: retryAfter, isProbe: isProbe, at: now) }
            if attempt.isGone { (commit.disables, isEnding) = (.gone, true) }
            if !isProbe { row.tries += 1 }
            row.wait(
                at: now,
                hold: context.settings.holdMilliseconds,
                probeAt: isProbe ? health.probeAt : nil,
                retryAfter: retryAfter,
                chance: context.chance()
            )
        }
        commit.rows[row.sequence] = row
        let wasBlocking = entry == nil && delivery.blocks
        if entry == nil, !row.isOpen { openCount -= 1 }
        if entry != nil, row.isOpen { openCount += 1 }
        if wasBlocking, !row.blocks { release(delivery) }
        settle(entry, row.blocks ? .blocks : row.isOpen ? .overtaken : .done)
    }

    /// Notes a failure of the endpoint.
    private mutating func fail(retryAfter: Int64?, isProbe: Bool, at now: Timestamp) {
        requestsMax = max(1, requestsMax / 2)
        guard health.isOpen, !isProbe else {
            if health.fail(at: now, retryAfter: retryAfter, chance: context.chance()) == .disable {
                (commit.disables, isEnding) = (.failing, true)
            }
            return
        }
        // It was sent before the circuit opened, and says nothing new.
        if let retryAfter { health.postpone(by: retryAfter, at: now) }
    }

    private mutating func settle(_ entry: DeliveryWindow.Item?, _ outcome: DeliveryWindow.Outcome) {
        guard let entry else { return }
        let now = context.time.now()
        for held in window.finish(entry, outcome) {
            if let item = items.removeValue(forKey: held.sequence) { hold(item, at: now) }
        }
    }

    private mutating func release(_ delivery: WebhookDelivery) {
        if delivery.blocks, let key = delivery.orderKey { commit.released.insert(key) }
    }

    // MARK: - Storing

    /// Begins to store what came together, if something did, or if it is time to renew or to return the lease.
    mutating func store(in group: inout TaskGroup<Signal>) {
        guard !isStoring else { return }
        // Requests that outlast a stop are sent again, by this server or another one.
        let isLast = (inFlight.isEmpty || context.stop.isOverdue) && !mayGoOn
        let isLate = ContinuousClock.now - renewedAt > WebhookLease.renewal
        let hasResults = !commit.isEmpty || window.settledThrough - commit.cursor > Int64(Self.pageSize)
        // Few results wait for others: each transaction competes with the intake of notifications. The commit that
        // disables the endpoint is the last one, so it waits for all requests.
        let mayWait =
            !inFlight.isEmpty
            && (commit.disables != nil
                || commit.rows.count < Self.fullCount && ContinuousClock.now - renewedAt < Self.commitInterval)
        guard isLast || isLate || (hasResults && !mayWait) else { return }
        commit.cursor = window.settledThrough
        commit.health = health
        commit.openCount = openCount
        commit.erasures = erasures
        commit.isLast = isLast
        // Nothing may be sent once the lease is returned.
        if isLast { isEnding = true }
        let (work, endpoint, app, context) = (commit, endpoint, app, context)
        commit = WebhookCommit()
        commit.cursor = work.cursor
        isStoring = true
        group.addTask {
            do throws(StorageError) {
                return .stored(work, .success(try await context.store(work, of: endpoint, app: app)))
            } catch {
                return .stored(work, .failure(error))
            }
        }
    }

    /// Whether something can be sent now.
    private var mayGoOn: Bool {
        let now = context.time.now()
        guard !isEnding, health.maySend(at: now) else { return false }
        if !due.isEmpty || window.hasReady { return true }
        if let nextDueAt, nextDueAt <= now { return true }
        return openCount < Self.openMax && context.mayHaveItems(after: window.readThrough, for: endpoint, of: app)
    }

    /// Notes what a commit found.
    mutating func finish(_ work: WebhookCommit, _ result: Result<WebhookCommit.Outcome, StorageError>) {
        isStoring = false
        switch result {
        case .failure(let error): (failure, isOver) = (error, true)
        case .success(let outcome):
            renewedAt = outcome.renewedAt
            report(work, outcome)
            guard outcome.isHeld else {
                isOver = true
                return
            }
            nextDueAt = outcome.nextDueAt
            if outcome.endpoint != endpoint || ContinuousClock.now - begunAt > Self.durationMax { isEnding = true }
            if outcome.erasures != erasures {
                // What was read before may name an erased customer. The next session reads it again.
                isEnding = true
                context.feed.forget(app)
            }
            for key in outcome.freed {
                // What was held back meanwhile is stored first, and released then.
                if commit.holdsBack(key) { commit.released.insert(key) } else { window.unblock(key) }
            }
            if work.isLast { isOver = true }
        }
    }

    /// Reports changes of the endpoint's health, once they are stored.
    private mutating func report(_ work: WebhookCommit, _ outcome: WebhookCommit.Outcome) {
        guard outcome.isStored else { return }
        if let reason = work.disables, outcome.endpoint?.disabledReason == reason {
            context.log.disabled(endpoint, of: app, because: reason, work)
        } else if work.health.isOpen != wasOpen {
            if wasOpen { context.log.closed(endpoint, of: app) } else { context.log.opened(endpoint, of: app, work) }
        }
        wasOpen = work.health.isOpen
    }
}
