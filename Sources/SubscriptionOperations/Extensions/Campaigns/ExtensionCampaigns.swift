import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Drafts, tries, approves, starts and cancels campaigns, and reads them.
///
/// ``CampaignRunner`` does the work of an open campaign.
public struct ExtensionCampaigns: Sendable {
    /// The maximum number of products of a campaign.
    public static let productsMax = 100
    /// The maximum number of storefronts of a campaign.
    public static let storefrontsMax = 200
    /// The maximum number of open campaigns of an app.
    static let openMax = 10
    /// The number of members whose last change a reader counts together.
    fileprivate static let uncountedMax = 1_000
    /// The number of open checks among which a reader looks for those of a campaign.
    private static let checksMax = 1_000
    /// Longer than the time until the last check of an extension.
    private static let checkedWithin: Int64 = 86_400_000
    /// How long after a campaign's end a reader expects the checks of its members, which Apple's absence delays.
    ///
    /// - Units: milliseconds.
    private static let awaitedWithin: Int64 = 3 * 3_600_000

    private let database: any SubscriptionDatabase
    private let access: AppStoreAccess
    private let policy: AccessPolicy
    private let approvesOwn: Bool
    private let time: any TimeSource

    /// Makes the use case.
    ///
    /// - Parameter approvesOwn: Whether the key that drafted a campaign may approve it.
    public init(
        database: any SubscriptionDatabase,
        access: AppStoreAccess,
        policy: AccessPolicy,
        approvesOwn: Bool,
        time: any TimeSource
    ) {
        self.database = database
        self.access = access
        self.policy = policy
        self.approvesOwn = approvesOwn
        self.time = time
    }

    /// Drafts a campaign. Nothing is extended.
    ///
    /// A second request with the same identifier changes nothing.
    ///
    /// - Throws: ``OperationError``: `product_unknown`, `extension_campaign_window_invalid`, `clock_disputed`, or
    ///   storage's codes.
    public func draft(
        _ terms: ExtensionCampaign.Terms,
        id: ExtensionCampaignID,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> ExtensionCampaign {
        let now = try now()
        if let window = terms.window, window.from >= window.to || window.to > now { throw .campaignWindowInvalid }
        guard terms.method == .single || terms.window == nil else { throw .campaignMethodInvalid }
        return try await write { storage throws(StorageError) in
            if let existing = try storage.extensionCampaign(id, of: app) { return .success(existing) }
            let sold = try storage.soldProducts(of: app).map(\.id)
            let listed = try storage.listedProducts(of: app).map(\.id)
            if let unknown = terms.productIDs.first(where: { !sold.contains($0) && !listed.contains($0) }) {
                return .failure(.productUnknown(unknown.rawValue))
            }
            let campaign = ExtensionCampaign(id: id, createdAt: now, terms: terms, draftedBy: who.keyID ?? who.name)
            try storage.save(campaign, of: app)
            try storage.audit(
                .campaignDrafted,
                .extensionCampaign(id),
                by: who,
                app: app,
                at: now,
                after: AuditedValue(terms)
            )
            return .success(campaign)
        }
    }

    /// Requests a dry run: a server counts who can be extended, in the background. Apple is not asked.
    ///
    /// - Throws: ``OperationError``: `extension_campaign_not_found`, `extension_campaign_dry_run_running`, a code that
    ///   names the state, `extension_campaigns_busy`, `clock_disputed`, or storage's codes.
    public func tryOut(
        _ id: ExtensionCampaignID,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> ExtensionCampaign {
        try await change(id, app: app, by: who, .campaignTried) { campaign, storage, now throws(StorageError) in
            guard campaign.state == .draft || campaign.state == .approved else {
                return .campaignState(campaign.state, "Draft a new one for another dry run.")
            }
            if campaign.isOpen { return .campaignDryRunRunning }
            guard try storage.hasRoomForCampaign(app) else { return .campaignsTooMany }
            campaign.dryRun = ExtensionCampaign.DryRun(startedAt: now)
            return nil
        }
    }

    /// Approves a campaign after its dry run.
    ///
    /// - Parameter ownApproval: Whether the key that drafted it approves it deliberately.
    /// - Throws: ``OperationError``: `extension_campaign_not_found`, `extension_campaign_not_tried`,
    ///   `extension_campaign_dry_run_running`, `extension_campaign_own_approval`, a code that names the state,
    ///   `clock_disputed`, or storage's codes.
    public func approve(
        _ id: ExtensionCampaignID,
        ownApproval: Bool,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> ExtensionCampaign {
        let mayApproveOwn = ownApproval && approvesOwn
        let refusal = OperationError.campaignOwnApproval(isAllowed: approvesOwn)
        return try await change(id, app: app, by: who, .campaignApproved) { campaign, _, now throws(StorageError) in
            guard campaign.state == .draft else {
                let remedy = campaign.state == .approved ? "Start it." : "Draft a new one for another approval."
                return .campaignState(campaign.state, remedy)
            }
            guard let run = campaign.dryRun else { return .campaignNotTried }
            guard run.finishedAt != nil else { return .campaignDryRunRunning }
            guard mayApproveOwn || campaign.draftedBy != (who.keyID ?? who.name) else { return refusal }
            (campaign.state, campaign.approvedAt) = (.approved, now)
            return nil
        }
    }

    /// Starts an approved campaign. A server asks Apple about its members in the background.
    ///
    /// - Throws: ``OperationError``: `app_store_api_not_configured`, `extension_campaign_not_found`,
    ///   `extension_campaign_dry_run_running`, a code that names the state, `extension_campaigns_busy`,
    ///   `clock_disputed`, or storage's codes.
    public func start(
        _ id: ExtensionCampaignID,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> ExtensionCampaign {
        _ = try access.entry(of: app)
        return try await change(id, app: app, by: who, .campaignStarted) {
            campaign,
            storage,
            now throws(StorageError) in
            guard campaign.state == .approved else {
                let remedy =
                    switch campaign.state {
                    case .draft: "Another key must approve it first."
                    case .running:
                        "Follow it with perennial extend campaign show, or GET /v1/extension_campaigns/{id}."
                    default: "Draft a new one."
                    }
                return .campaignState(campaign.state, remedy)
            }
            if campaign.isOpen { return .campaignDryRunRunning }
            guard try storage.hasRoomForCampaign(app) else { return .campaignsTooMany }
            (campaign.state, campaign.startedAt, campaign.isCounting) = (.running, now, true)
            try storage.append([campaign.event(.campaignStarted, at: now)], customer: nil, recordedAt: now, app: app)
            return nil
        }
    }

    /// Cancels a campaign. What Apple was asked before stays extended, and an order that Apple has accepted goes on.
    ///
    /// - Throws: ``OperationError``: `extension_campaign_not_found`, a code that names the state, `clock_disputed`, or
    ///   storage's codes.
    public func cancel(
        _ id: ExtensionCampaignID,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> ExtensionCampaign {
        _ = try await change(id, app: app, by: who, .campaignCancelled) {
            campaign,
            storage,
            now throws(StorageError) in
            guard campaign.state != .finished, campaign.state != .cancelled else {
                let orders = try storage.massExtensionOrders(of: id, app: app)
                // Apple may have one that the server still asks about.
                let goesOn =
                    campaign.state == .cancelled
                    && orders.contains { $0.mayBeCarriedOut && $0.state != .complete }
                let remedy =
                    goesOn
                    ? "Apple is asked about nobody else, but an order that it has accepted goes on. It is in the "
                        + "campaign (perennial extend campaign show, or GET /v1/extension_campaigns/{id})."
                    : "Apple is asked about nobody else."
                return .campaignState(campaign.state, remedy)
            }
            campaign.cancel(at: now)
            return nil
        }
        return try await campaign(id, app: app)
    }

    /// A campaign, with all results of its members counted.
    ///
    /// - Throws: ``OperationError`` `extension_campaign_not_found`, or storage's codes.
    public func campaign(_ id: ExtensionCampaignID, app: AppID) async throws(OperationError) -> ExtensionCampaign {
        try await read { storage throws(StorageError) in
            guard let campaign = try storage.extensionCampaign(id, of: app),
                let counted = try storage.counted([campaign], app: app).first
            else { return .failure(.campaignNotFound) }
            return .success(counted)
        }
    }

    /// Whether the server still looks for the announcements or the new ends of a finished campaign's members, so that
    /// some of them may yet turn out not to be seen. It does so for an hour after each call, and for longer if Apple
    /// is away.
    ///
    /// It is false three hours after the campaign's end, and while this server cannot ask Apple about the app, although
    /// some may turn out not to be seen later. Before, while very many checks are open, it is also true if they belong
    /// to others.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func awaitsAnnouncements(of campaign: ExtensionCampaign, app: AppID) async throws(OperationError) -> Bool {
        let now = time.now()
        guard campaign.state == .finished, access.hasEntry(of: app), let endedAt = campaign.endedAt,
            now < endedAt.adding(milliseconds: Self.awaitedWithin)
        else { return false }
        let end = now.adding(milliseconds: Self.checkedWithin)
        return try await read { storage throws(StorageError) in
            let open = try storage.renewalExtensions(toCheckUntil: end, app: app, limit: Self.checksMax)
            return .success(open.count == Self.checksMax || open.contains { $0.campaignID == campaign.id })
        }
    }

    /// The orders of a campaign at Apple, by product; empty if Apple is asked about each member alone.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func orders(of id: ExtensionCampaignID, app: AppID) async throws(OperationError) -> [MassExtensionOrder] {
        try await read { storage throws(StorageError) in
            .success(try storage.massExtensionOrders(of: id, app: app))
        }
    }

    /// Campaigns, newest first, with all results of their members counted.
    ///
    /// - Parameter last: The last campaign of the previous page; nil for the first page.
    /// - Throws: ``OperationError`` `extension_campaign_not_found` for an unknown `last`, or storage's codes.
    public func campaigns(
        app: AppID,
        before last: ExtensionCampaignID?,
        limit: Int
    ) async throws(OperationError) -> [ExtensionCampaign] {
        try await read { storage throws(StorageError) in
            var start: ExtensionCampaign?
            if let last {
                start = try storage.extensionCampaign(last, of: app)
                guard start != nil else { return .failure(.campaignNotFound) }
            }
            let found = try storage.extensionCampaigns(of: app, before: start, limit: limit)
            return .success(try storage.counted(found, app: app))
        }
    }

    /// The members of a campaign in a state, by identifier.
    ///
    /// - Throws: ``OperationError`` `extension_campaign_not_found`, or storage's codes.
    public func members(
        of id: ExtensionCampaignID,
        in state: RenewalExtension.State,
        after last: RenewalExtensionID?,
        app: AppID,
        limit: Int
    ) async throws(OperationError) -> [RenewalExtension] {
        try await read { storage throws(StorageError) in
            guard try storage.extensionCampaign(id, of: app) != nil else { return .failure(.campaignNotFound) }
            return .success(try storage.members(of: id, in: state, after: last, app: app, limit: limit))
        }
    }

    /// The subscriptions that a campaign is about, as they are now: those that can be extended and those that cannot.
    ///
    /// - Parameter id: The last subscription that was looked at before; nil for the first ones.
    /// - Throws: ``OperationError`` `extension_campaign_not_found`, or storage's codes.
    public func candidates(
        for campaign: ExtensionCampaignID,
        after id: OriginalTransactionID?,
        app: AppID,
        limit: Int
    ) async throws(OperationError) -> CampaignCandidates {
        let now = time.now()
        return try await read { [policy] storage throws(StorageError) in
            guard let terms = try storage.extensionCampaign(campaign, of: app)?.terms else {
                return .failure(.campaignNotFound)
            }
            return .success(
                try storage.campaignCandidates(
                    for: terms,
                    after: id,
                    limit: limit,
                    at: now,
                    app: app,
                    policy: policy
                )
            )
        }
    }

    private func now() throws(OperationError) -> Timestamp {
        guard time.dispute == nil else { throw .clockDisputed }
        return time.now()
    }

    /// Changes a campaign in a transaction, with an audit entry.
    private func change(
        _ id: ExtensionCampaignID,
        app: AppID,
        by who: Operator,
        _ action: AuditedAction,
        _ body:
            @escaping @Sendable (inout ExtensionCampaign, any StorageWriting, Timestamp) throws(StorageError) ->
            OperationError?
    ) async throws(OperationError) -> ExtensionCampaign {
        let now = try now()
        return try await write { storage throws(StorageError) in
            guard var campaign = try storage.extensionCampaign(id, of: app) else { return .failure(.campaignNotFound) }
            let before = campaign.state
            if let refusal = try body(&campaign, storage, now) { return .failure(refusal) }
            try storage.save(campaign, of: app)
            try storage.audit(
                action,
                .extensionCampaign(id),
                by: who,
                app: app,
                at: now,
                before: AuditedValue(["state": .string(before.rawValue)]),
                after: AuditedValue(["state": .string(campaign.state.rawValue)])
            )
            return .success(campaign)
        }
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result<Value, OperationError>
    ) async throws(OperationError) -> Value {
        let result: Result<Value, OperationError>
        do { result = try await database.write(body) } catch { throw OperationError(error) }
        return try result.get()
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result<Value, OperationError>
    ) async throws(OperationError) -> Value {
        let result: Result<Value, OperationError>
        do { result = try await database.read(body) } catch { throw OperationError(error) }
        return try result.get()
    }
}

extension StorageReading {
    fileprivate func hasRoomForCampaign(_ app: AppID) throws(StorageError) -> Bool {
        try openExtensionCampaigns(of: app, limit: ExtensionCampaigns.openMax).count < ExtensionCampaigns.openMax
    }

    /// Campaigns with what notifications changed, and with the members counted whose result has changed since, also
    /// after the campaign's end.
    ///
    /// ``CampaignRunner`` stores these counts soon.
    fileprivate func counted(
        _ campaigns: [ExtensionCampaign],
        app: AppID
    ) throws(StorageError) -> [ExtensionCampaign] {
        let size = ExtensionCampaigns.uncountedMax
        // Most campaigns have none of these members. Those of one campaign are in memory at a time.
        let ids = campaigns.map(\.id)
        let firstRows = try uncountedMembers(of: ids, app: app, limit: 1)
        let changes = try campaignCountChanges(of: ids, app: app)
        var counted: [ExtensionCampaign] = []
        for (stored, (firstRow, changes)) in zip(campaigns, zip(firstRows, changes)) {
            var campaign = stored
            for change in changes { campaign.add(change) }
            var page = try firstRow.isEmpty ? [] : uncountedMembers(of: campaign.id, app: app, limit: size)
            while let last = page.last {
                for var member in page { campaign.count(&member) }
                guard page.count == size else { break }
                page = try uncountedMembers(of: campaign.id, after: last.id, app: app, limit: size)
            }
            counted.append(campaign)
        }
        return counted
    }
}

extension AuditedValue {
    fileprivate init(_ terms: ExtensionCampaign.Terms) {
        self.init([
            "product_ids": .array(terms.productIDs.map { .string($0.rawValue) }),
            "storefronts": terms.storefronts.map { .array($0.map { .string($0) }) },
            "extend_by_days": .integer(Int64(terms.days)), "reason": .string(terms.reason.rawValue),
            "method": .string(terms.method.rawValue),
            "from": terms.window.map { .integer($0.from.milliseconds) },
            "to": terms.window.map { .integer($0.to.milliseconds) },
        ])
    }
}
