import AppStoreClient
public import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Does the work of open campaigns: dry runs, and the extension of every member.
///
/// Each step is committed with the lease, so that one server of many works on an app's campaigns, and a server that is
/// killed at any point leaves work that the next one continues. A member is stored as `asked` before Apple is asked;
/// ``ExtensionChecks`` finds out what became of one whose answer was lost.
public final class CampaignRunner: Sendable {
    private static let work = "extension_campaigns"
    /// Longer than the calls of a batch.
    private static let leaseMilliseconds: Int64 = 40_000
    /// The number of purchases that are looked at together.
    static let pageSize = 500
    /// The number of members that are asked about at the same time.
    private static let batchSize = 16
    /// The number of batches before other campaigns have a turn.
    private static let batchesPerTurn = 50
    /// The longest time of a call. The client's own limits are shorter, and it knows whether a call was sent.
    private static let callMillisecondsMax = 30_000
    /// How long a member waits for the end of an obstacle that passes.
    private static let obstaclePatience: Int64 = 86_400_000
    /// How often results are stored again after an error that passes: Apple's answers must not be lost.
    private static let storingMax = 5

    let database: any SubscriptionDatabase
    let access: AppStoreAccess
    private let call: ExtensionCall
    let orders: OrderCalls
    let policy: AccessPolicy
    let time: any TimeSource
    private let realTime: any TimeSource
    let stopPatience: Duration
    private let server = RandomName.make()
    private let isWorking = Mutex(false)

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - access: The clients of the App Store Server API.
    ///   - time: The clock.
    ///   - realTime: Real time, for the leases among servers.
    ///   - stopPatience: How long a server that is stopped waits for Apple's answers. A program ends 15 seconds after
    ///     the signal, and the answers are to be stored before.
    public init(
        database: any SubscriptionDatabase,
        access: AppStoreAccess,
        policy: AccessPolicy,
        time: any TimeSource,
        realTime: any TimeSource = SystemTimeSource(),
        stopPatience: Duration = .seconds(10)
    ) {
        self.database = database
        self.access = access
        self.policy = policy
        self.time = time
        self.realTime = realTime
        self.stopPatience = stopPatience
        var limits = access.limits
        (limits.lookupsMax, limits.lookupMillisecondsMax) = (Self.batchSize, Self.callMillisecondsMax)
        call = ExtensionCall(access: access, limits: limits)
        orders = OrderCalls(access: access)
    }

    /// Works on every open campaign until it is finished or has to wait.
    ///
    /// It returns at once while another call works: a local store waits for its followers before it answers a call that
    /// extends a subscription.
    ///
    /// - Throws: ``OperationError`` with storage's codes; other apps are worked on first.
    public func settle() async throws(OperationError) {
        let mayWork = isWorking.withLock { isWorking in
            defer { isWorking = true }
            return !isWorking
        }
        guard mayWork else { return }
        defer { isWorking.withLock { $0 = false } }
        guard time.dispute == nil else { return }
        var failure: OperationError?
        var goesOn = true
        // Campaigns and apps take turns.
        while goesOn, failure == nil, !Task.isCancelled {
            goesOn = false
            do {
                for app in try await database.read({ storage throws(StorageError) in try storage.apps() }) {
                    do throws(StorageError) {
                        if try await settle(app.id) { goesOn = true }
                    } catch {
                        failure = OperationError(error)
                    }
                    if Task.isCancelled { return }
                }
            } catch {
                throw OperationError(error)
            }
        }
        if let failure { throw failure }
    }

    /// - Returns: Whether a campaign can go on at once.
    private func settle(_ app: AppID) async throws(StorageError) -> Bool {
        let open = try await database.read { storage throws(StorageError) in
            try storage.openExtensionCampaigns(of: app, limit: ExtensionCampaigns.openMax)
        }
        guard !open.isEmpty else { return false }
        let holder = LeaseHolder(
            work: Self.work,
            app: app,
            name: server,
            time: realTime,
            milliseconds: Self.leaseMilliseconds
        )
        guard try await database.write({ storage throws(StorageError) in try holder.take(in: storage) }) else {
            return false
        }
        var goesOn = false
        for campaign in open {
            let work = CampaignWork(id: campaign.id, app: app, holder: holder)
            if !campaign.isCounting {
                try await tryOut(work)
            } else if try await run(work) {
                goesOn = true
            }
        }
        _ = try await database.write { storage throws(StorageError) in try holder.renew(in: storage, ends: true) }
        return goesOn
    }
}

/// The campaign that a server works on.
struct CampaignWork: Sendable {
    let id: ExtensionCampaignID
    let app: AppID
    let holder: LeaseHolder
}

extension CampaignRunner {
    /// - Returns: Whether it can go on at once.
    private func run(_ work: CampaignWork) async throws(StorageError) -> Bool {
        try await enlist(work)
        var goesOn = false
        if access.hasEntry(of: work.app) {
            try await followOrders(work)
            goesOn = try await ask(work)
        }
        try await countChanges(work)
        _ = try await change(work) { [time] campaign, storage, app throws(StorageError) in
            let isOrdered = try storage.massExtensionOrders(of: work.id, app: app).contains(where: \.isOpen)
            guard !isOrdered, campaign.count(of: [.asked, .ordered]) == 0 else { return false }
            let now = time.now()
            if campaign.state == .cancelled {
                campaign.isCounting = false
            } else if campaign.isEnlisted, campaign.openCount == 0 {
                campaign.finish(at: now)
                try storage.append(
                    [campaign.event(.campaignFinished, at: now)],
                    customer: nil,
                    recordedAt: now,
                    app: app
                )
            }
            return false
        }
        return goesOn
    }

    /// Asks Apple about planned members, some at the same time, until none is left, Apple is away, or others have their
    /// turn.
    ///
    /// - Returns: Whether it can go on at once.
    private func ask(_ work: CampaignWork) async throws(StorageError) -> Bool {
        var last: RenewalExtensionID?
        var batches = 0
        while batches < Self.batchesPerTurn, !Task.isCancelled {
            let now = time.now()
            let planned = try await database.read { [last] storage throws(StorageError) -> [RenewalExtension] in
                guard let campaign = try storage.extensionCampaign(work.id, of: work.app), campaign.state == .running,
                    campaign.retryAt.map({ $0 <= now }) ?? true
                else { return [] }
                return try storage.members(of: work.id, in: .planned, after: last, app: work.app, limit: Self.batchSize)
            }
            guard let next = planned.last?.id, let asked = try await begin(planned, work) else { return false }
            // One that waits for the end of an obstacle stays planned.
            last = next
            guard !asked.isEmpty else { continue }
            batches += 1
            let goesOn = try await evenIfStopped { [self] in
                await outcomes(of: asked, app: work.app)
            } store: { [self] outcomes throws(StorageError) in
                try await store(outcomes, work)
            }
            guard goesOn else { return false }
        }
        return true
    }

    /// Stores that Apple is being asked, or what the ledger has against it now.
    ///
    /// - Returns: The members to ask about; nil if the campaign ended or another server works on it.
    private func begin(
        _ planned: [RenewalExtension],
        _ work: CampaignWork
    ) async throws(StorageError) -> [RenewalExtension]? {
        let now = time.now()
        return try await changing(work) { [policy] campaign, storage, app throws(StorageError) -> [RenewalExtension] in
            guard campaign.state == .running else { return [] }
            try storage.lockPurchases(of: planned, app: app)
            let mayWait = campaign.startedAt.map { now < $0.adding(milliseconds: Self.obstaclePatience) } ?? false
            var asked: [RenewalExtension] = []
            for member in planned {
                guard var row = try storage.renewalExtension(member.id, of: app), row.state == .planned else {
                    continue
                }
                let known = try storage.renewalExtensions(of: row.purchaseID, app: app, limit: Extending.listedMax)
                let ledger = try storage.ledger(of: row.purchaseID, app: app)
                if !row.noteLateResult(ledger, others: known.filter { $0.id != member.id }, at: now) {
                    let obstacle = ledger.obstacles(known: known, at: now, policy: policy).first
                    if let obstacle, mayWait, obstacle.passes { continue }
                    if let obstacle {
                        row.noteObstacle(obstacle)
                    } else if let period = ledger.extendablePeriod(at: now) {
                        row.noteRequest(period, at: now)
                        asked.append(row)
                    } else {
                        row.noteObstacle(OperationError(.notASubscription))
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
            var away: OperationError?
            for (member, outcome) in outcomes {
                guard var row = try storage.renewalExtension(member.id, of: app) else { continue }
                switch outcome {
                case .extended(let end): row.noteAnswer(end)
                case .refused(let error): row.noteRefusal(StoredFailure(code: error.code, message: error.message))
                case .notSent(let error):
                    row.noteNothingSent()
                    away = error
                // Others would be in doubt too.
                case .inDoubt: away = away ?? .answerLost
                }
                try storage.count(&row, in: &campaign, app: app, at: now)
            }
            if let away { campaign.pause(because: away, at: now) } else { campaign.resume() }
            return away == nil && campaign.state == .running
        } ?? false
    }

    /// Counts the members whose result has changed since: by Apple's announcement, or by a check.
    private func countChanges(_ work: CampaignWork) async throws(StorageError) {
        while !Task.isCancelled {
            let changed = try await database.read { storage throws(StorageError) in
                try storage.uncountedMembers(of: work.id, app: work.app, limit: Self.pageSize)
            }
            guard !changed.isEmpty else { return }
            let now = time.now()
            let goesOn = try await change(work) { campaign, storage, app throws(StorageError) in
                try storage.lockPurchases(of: changed, app: app)
                for member in changed {
                    guard var row = try storage.renewalExtension(member.id, of: app) else { continue }
                    try storage.count(&row, in: &campaign, app: app, at: now)
                }
                return true
            }
            guard goesOn else { return }
        }
    }

    /// Changes a campaign if it has not ended and this server still works on it.
    ///
    /// - Returns: What the body returns; false if it did not run.
    func change(
        _ work: CampaignWork,
        _ body:
            @escaping @Sendable (inout ExtensionCampaign, any StorageWriting, AppID) throws(StorageError) -> Bool
    ) async throws(StorageError) -> Bool {
        try await changing(work, body) ?? false
    }

    func changing<Value: Sendable>(
        _ work: CampaignWork,
        evenIfEnded: Bool = false,
        _ body: @escaping @Sendable (inout ExtensionCampaign, any StorageWriting, AppID) throws(StorageError) -> Value
    ) async throws(StorageError) -> Value? {
        try await database.write { storage throws(StorageError) -> Value? in
            guard try work.holder.renew(in: storage, ends: false),
                let before = try storage.extensionCampaign(work.id, of: work.app), before.isOpen || evenIfEnded
            else { return nil }
            var campaign = before
            let value = try body(&campaign, storage, work.app)
            if campaign != before { try storage.save(campaign, of: work.app) }
            return value
        }
    }
}

extension CampaignRunner: SettledWork {
    /// What a failure means.
    public static let failed = "The open extension campaigns made no progress"
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

extension StorageWriting {
    /// Saves a member and its count, and appends an event for each further tenth of the members with a result.
    func count(
        _ member: inout RenewalExtension,
        in campaign: inout ExtensionCampaign,
        app: AppID,
        at now: Timestamp
    ) throws(StorageError) {
        let before = campaign.progress ?? 0
        campaign.count(&member)
        try save(member, of: app)
        guard let progress = campaign.progress, progress > before else { return }
        try append([campaign.event(.campaignProgressed, at: now)], customer: nil, recordedAt: now, app: app)
    }
}
