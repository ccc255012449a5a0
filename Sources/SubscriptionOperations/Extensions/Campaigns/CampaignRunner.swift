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
    /// The number of members that are stored together.
    static let batchSize = 16
    /// The number of batches that wait for Apple at the same time: a slow answer does not hold up the others.
    static let openBatchesMax = 4
    /// The number of batches before other campaigns have a turn.
    static let batchesPerTurn = 50
    /// The longest time of a call. The client's own limits are shorter, and it knows whether a call was sent.
    private static let callMillisecondsMax = 30_000
    /// How long a member waits for the end of an obstacle that passes, and until Apple finds it.
    static let obstaclePatience: Int64 = 86_400_000
    /// How often results are stored again after an error that passes: Apple's answers must not be lost.
    static let storingMax = 5

    let database: any SubscriptionDatabase
    let access: AppStoreAccess
    let call: ExtensionCall
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
        (limits.lookupsMax, limits.lookupMillisecondsMax) = (
            Self.batchSize * Self.openBatchesMax, Self.callMillisecondsMax
        )
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
        let (open, late) = try await database.read {
            storage throws(StorageError) -> ([ExtensionCampaign], Set<ExtensionCampaignID>) in
            let open = try storage.openExtensionCampaigns(of: app, limit: ExtensionCampaigns.openMax)
            let uncounted = try storage.uncountedMembers(app: app, limit: Self.pageSize).compactMap(\.campaignID)
            let changed = try storage.campaignCountChanges(app: app, limit: Self.pageSize).map(\.campaignID)
            return (open, Set(uncounted + changed).subtracting(open.map(\.id)))
        }
        guard !open.isEmpty || !late.isEmpty else { return false }
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
        do throws(StorageError) {
            let goesOn = try await work(on: open, late, of: app, holder)
            await holder.end(in: database)
            return goesOn
        } catch {
            await holder.end(in: database)
            throw error
        }
    }

    /// - Parameter late: Campaigns that ended, with results that came later.
    /// - Returns: Whether a campaign can go on at once.
    private func work(
        on open: [ExtensionCampaign],
        _ late: Set<ExtensionCampaignID>,
        of app: AppID,
        _ holder: LeaseHolder
    ) async throws(StorageError) -> Bool {
        var goesOn = false
        for campaign in open {
            let work = CampaignWork(id: campaign.id, app: app, holder: holder)
            if !campaign.isCounting {
                try await tryOut(work)
            } else if try await run(work) {
                goesOn = true
            }
        }
        for id in late { try await countChanges(CampaignWork(id: id, app: app, holder: holder)) }
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
        let begunAt = time.now()
        var (goesOn, isThrough) = (false, false)
        if access.hasEntry(of: work.app) {
            try await followOrders(work)
            goesOn = try await ask(work)
            isThrough = !goesOn
        }
        try await endPlanned(work)
        try await countChanges(work)
        _ = try await change(work) { [time, isThrough] campaign, storage, app throws(StorageError) in
            // The pause was over, and nobody was left to be asked: there is no answer that would end it.
            if isThrough, let retryAt = campaign.retryAt, retryAt <= begunAt { campaign.resume() }
            let isOrdered = try storage.massExtensionOrders(of: work.id, app: app).contains(where: \.isOpen)
            guard !isOrdered, campaign.openCount == 0 else { return false }
            let now = time.now()
            if campaign.state == .cancelled {
                campaign.isCounting = false
            } else if campaign.isEnlisted {
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

    /// Counts the members whose result has changed since: by Apple's announcement, or by a check. It does so after the
    /// campaign's end too.
    private func countChanges(_ work: CampaignWork) async throws(StorageError) {
        try await addCountChanges(work)
        try await countUncounted(work)
    }

    /// Adds what notifications changed.
    private func addCountChanges(_ work: CampaignWork) async throws(StorageError) {
        var goesOn = true
        while goesOn, !Task.isCancelled {
            let isChanged = try await database.read { storage throws(StorageError) in
                try !storage.campaignCountChanges(of: work.id, app: work.app, limit: 1).isEmpty
            }
            guard isChanged else { return }
            let now = time.now()
            let isRemoved = try await changing(work, evenIfEnded: true) {
                campaign,
                storage,
                app throws(StorageError) -> Bool in
                let changes = try storage.campaignCountChanges(of: work.id, app: app, limit: Self.pageSize)
                let before = campaign.progress ?? 0
                for change in changes {
                    campaign.add(change)
                    try storage.remove(change, of: app)
                }
                try storage.recordProgress(of: campaign, since: before, app: app, at: now)
                return !changes.isEmpty
            }
            goesOn = isRemoved ?? false
        }
    }

    private func countUncounted(_ work: CampaignWork) async throws(StorageError) {
        while !Task.isCancelled {
            let changed = try await database.read { storage throws(StorageError) in
                try storage.uncountedMembers(of: work.id, app: work.app, limit: Self.pageSize)
            }
            guard !changed.isEmpty else { return }
            let now = time.now()
            let goesOn = try await changing(work, evenIfEnded: true) {
                campaign,
                storage,
                app throws(StorageError) -> Bool in
                try storage.lockPurchases(of: changed, app: app)
                for member in changed {
                    guard var row = try storage.renewalExtension(member.id, of: app) else { continue }
                    try storage.count(&row, in: &campaign, app: app, at: now)
                }
                return true
            }
            guard goesOn ?? false else { return }
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

extension StorageWriting {
    /// Saves a member and its count. Until the campaign is over, appends an event for each further tenth of the members
    /// with a result.
    func count(
        _ member: inout RenewalExtension,
        in campaign: inout ExtensionCampaign,
        app: AppID,
        at now: Timestamp
    ) throws(StorageError) {
        let before = campaign.progress ?? 0
        campaign.count(&member)
        try save(member, of: app)
        try recordProgress(of: campaign, since: before, app: app, at: now)
    }

    /// Until the campaign is over, appends an event for a further tenth of the members with a result.
    fileprivate func recordProgress(
        of campaign: ExtensionCampaign,
        since before: Int,
        app: AppID,
        at now: Timestamp
    ) throws(StorageError) {
        guard campaign.isOpen, let progress = campaign.progress, progress > before else { return }
        try append([campaign.event(.campaignProgressed, at: now)], customer: nil, recordedAt: now, app: app)
    }
}
