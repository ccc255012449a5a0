import AppStoreClient
import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension CampaignRunner {
    /// Asks Apple about planned members, some at the same time, until none is left, Apple is away, or others have their
    /// turn.
    ///
    /// - Returns: Whether it can go on at once.
    func ask(_ work: CampaignWork) async throws(StorageError) -> Bool {
        let asked = await withTaskGroup(of: Result<Bool, StorageError>.self) { group in
            var (last, begun, open): (RenewalExtensionID?, Int, Int) = (nil, 0, 0)
            var result = Result<Bool, StorageError>.success(true)
            while case .success(true) = result, begun < Self.batchesPerTurn, !Task.isCancelled {
                if open == Self.openBatchesMax, let answered = await group.next() {
                    (result, open) = (answered, open - 1)
                    continue
                }
                do throws(StorageError) {
                    guard let batch = try await beginNext(after: &last, work) else {
                        result = .success(false)
                        break
                    }
                    guard !batch.isEmpty else { continue }
                    (begun, open) = (begun + 1, open + 1)
                    group.addTask { await self.answer(batch, work) }
                } catch {
                    result = .failure(error)
                }
            }
            // Each answer is stored, whatever became of the others.
            for await answered in group {
                switch (result, answered) {
                case (.success(true), _), (.success, .failure): result = answered
                default: break
                }
            }
            return result
        }
        return try asked.get()
    }

    /// Begins with the next planned members.
    ///
    /// - Parameter last: The last member that was looked at. One that waits for the end of an obstacle stays planned.
    /// - Returns: The members to ask about; nil if there are none to look at, the campaign does not run, or another
    ///   server works on it.
    private func beginNext(
        after last: inout RenewalExtensionID?,
        _ work: CampaignWork
    ) async throws(StorageError) -> [RenewalExtension]? {
        let now = time.now()
        let planned = try await database.read { [last] storage throws(StorageError) -> [RenewalExtension] in
            guard let campaign = try storage.extensionCampaign(work.id, of: work.app), campaign.state == .running,
                !campaign.isPaused(at: now)
            else { return [] }
            return try storage.members(of: work.id, in: .planned, after: last, app: work.app, limit: Self.batchSize)
        }
        guard let next = planned.last?.id else { return nil }
        last = next
        return try await begin(planned, work)
    }

    /// Asks Apple, and stores its answers.
    ///
    /// - Returns: Whether to go on asking.
    private func answer(_ batch: [RenewalExtension], _ work: CampaignWork) async -> Result<Bool, StorageError> {
        do throws(StorageError) {
            return .success(
                try await evenIfStopped { [self] in
                    await outcomes(of: batch, app: work.app)
                } store: { [self] outcomes throws(StorageError) in
                    try await store(outcomes, work)
                }
            )
        } catch {
            return .failure(error)
        }
    }

    /// Stores that Apple is being asked, or what the ledger has against it now.
    ///
    /// - Returns: The members to ask about, with the origins from before; nil if the campaign ended or another server
    ///   works on it.
    private func begin(
        _ planned: [RenewalExtension],
        _ work: CampaignWork
    ) async throws(StorageError) -> [RenewalExtension]? {
        let now = time.now()
        return try await changing(work) { [policy] campaign, storage, app throws(StorageError) -> [RenewalExtension] in
            guard campaign.state == .running else { return [] }
            try storage.lockPurchases(of: planned, app: app)
            let orders = try campaign.terms.method == .mass ? storage.massExtensionOrders(of: work.id, app: app) : []
            let mayWait = campaign.startedAt.map { now < $0.adding(milliseconds: Self.obstaclePatience) } ?? false
            var asked: [RenewalExtension] = []
            for member in planned {
                guard var row = try storage.renewalExtension(member.id, of: app), row.state == .planned,
                    !row.isPostponed(at: now)
                else { continue }
                let known = try storage.renewalExtensions(of: row.purchaseID, app: app, limit: Extending.listedMax)
                let ledger = try storage.ledger(of: row.purchaseID, app: app)
                let order = orders.first { $0.productID == member.productID }
                let wasOrdered = order?.wasAccepted ?? false
                var hasResult = try storage.takeOrderAnnouncement(for: &row, of: order, among: known, app: app)
                if !hasResult {
                    let others = known.filter { $0.id != member.id }
                    hasResult = row.noteLateResult(ledger, others: others, app: app, at: now)
                }
                if !hasResult {
                    let obstacle = ledger.obstacles(known: known, at: now, policy: policy).first
                    if let obstacle, mayWait, obstacle.passes { continue }
                    if let obstacle {
                        row.noteObstacle(obstacle, wasOrdered: wasOrdered)
                    } else if let period = ledger.extendablePeriod(at: now) {
                        let origin = row.origin
                        row.noteRequest(period, at: now)
                        asked.append(row.with(origin: origin))
                    } else {
                        row.noteObstacle(OperationError(.notASubscription), wasOrdered: wasOrdered)
                    }
                }
                try storage.count(&row, in: &campaign, app: app, at: now)
            }
            return asked
        }
    }

    private func outcomes(
        of asked: [RenewalExtension],
        app: AppID
    ) async -> [(RenewalExtension, ExtensionCall.Outcome)] {
        guard let api = try? call.api(of: app) else { return [] }
        return await withTaskGroup(of: (RenewalExtension, ExtensionCall.Outcome).self) { [call] group in
            for row in asked { group.addTask { (row, await call.make(row, app: app, by: api)) } }
            var done: [(RenewalExtension, ExtensionCall.Outcome)] = []
            for await outcome in group { done.append(outcome) }
            return done
        }
    }

    /// Stores what Apple answered.
    ///
    /// - Returns: Whether to go on asking.
    private func store(
        _ outcomes: [(RenewalExtension, ExtensionCall.Outcome)],
        _ work: CampaignWork
    ) async throws(StorageError) -> Bool {
        var attempts = 1
        while true {
            do throws(StorageError) {
                return try await storeOnce(outcomes, work)
            } catch {
                guard error.isRetryable, attempts < Self.storingMax else { throw error }
                // A cancelled sleep ends the wait.
                try? await Task.sleep(for: .milliseconds(200 * attempts))
                attempts += 1
            }
        }
    }

    private func storeOnce(
        _ outcomes: [(RenewalExtension, ExtensionCall.Outcome)],
        _ work: CampaignWork
    ) async throws(StorageError) -> Bool {
        let now = time.now()
        // A cancelled campaign keeps its results.
        return try await changing(work, evenIfEnded: true) { campaign, storage, app throws(StorageError) -> Bool in
            try storage.lockPurchases(of: outcomes.map(\.0), app: app)
            let orders = try campaign.terms.method == .mass ? storage.massExtensionOrders(of: work.id, app: app) : []
            let begun = ([campaign.startedAt] + orders.map(\.completedAt)).compactMap { $0 }.max()
            let mayWait = begun.map { now < $0.adding(milliseconds: Self.obstaclePatience) } ?? false
            var away: OperationError?
            for (member, outcome) in outcomes {
                guard var row = try storage.renewalExtension(member.id, of: app) else { continue }
                if outcome.isWithoutEffect {
                    let known = try storage.renewalExtensions(of: row.purchaseID, app: app, limit: Extending.listedMax)
                    try storage.noteWithoutEffect(&row, among: known, app: app)
                }
                switch outcome {
                case .extended(let end):
                    row.noteAnswer(end)
                    try storage.takeAnsweredAnnouncement(for: &row, app: app)
                case .refused(let error):
                    let failure = StoredFailure(code: error.code, message: error.message)
                    row.noteRefusal(failure, origin: member.origin)
                case .notSent(let error):
                    row.noteNothingSent(origin: member.origin)
                    away = error.repeatedByCampaign(ofOrder: false)
                case .postponed(let error):
                    if mayWait {
                        row.notePostponed(.postponed(error), origin: member.origin)
                    } else {
                        row.noteRefusal(.neverFound(error), origin: member.origin)
                    }
                // Others would be in doubt too.
                case .inDoubt: away = away ?? .answerLost
                }
                if row.state == .refused, let order = orders.first(where: { $0.productID == member.productID }) {
                    // What was announced meanwhile may be its order's.
                    let known = try storage.renewalExtensions(of: row.purchaseID, app: app, limit: Extending.listedMax)
                    _ = try storage.takeOrderAnnouncement(for: &row, of: order, among: known, app: app)
                }
                try storage.count(&row, in: &campaign, app: app, at: now)
            }
            // A pause holds although the answers of other batches follow. A cancelled campaign waits for nothing.
            if campaign.state == .running, !campaign.isPaused(at: now) {
                if let away { campaign.pause(because: away, at: now) } else { campaign.resume() }
            }
            return away == nil && campaign.state == .running
        } ?? false
    }
}

extension RenewalExtension {
    /// The same extension with another origin.
    fileprivate func with(origin: Origin) -> RenewalExtension {
        var copy = self
        copy.origin = origin
        return copy
    }
}

extension ExtensionCall {
    /// Asks Apple about a member of a campaign once.
    fileprivate func make(_ row: RenewalExtension, app: AppID, by api: AppStoreServerAPIClient.App) async -> Outcome {
        let request = Extending.Request(
            id: row.id,
            transactionID: row.transactionID,
            days: row.days ?? 0,
            reason: row.reason ?? .undeclared
        )
        return await make(request, of: row.purchaseID, app: app, by: api)
    }
}

extension StoredFailure {
    /// Apple asks to try again about a member, and the server does so.
    fileprivate static func postponed(_ error: OperationError) -> StoredFailure {
        StoredFailure(
            code: error.code,
            message: "Apple could not find it at the moment and asks to try again. The server asks again by itself."
        )
    }

    /// Apple asked to try again about a member until the campaign no longer waited.
    fileprivate static func neverFound(_ error: OperationError) -> StoredFailure {
        StoredFailure(
            code: error.code,
            message: "Apple could not find it for a day, and asked to try again each time. It was not extended, and "
                + "the campaign does not ask again. To extend it, extend it alone later."
        )
    }
}
