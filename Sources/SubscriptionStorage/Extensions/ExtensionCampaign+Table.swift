public import SubscriptionCore

extension ExtensionCampaign: TableRecord {
    fileprivate static let byTime = TableIndex("extension_campaigns_by_time", ["created_at", "campaign_id"])
    fileprivate static let open = TableIndex(
        "extension_campaigns_open",
        ["open_since", "campaign_id"],
        omitsNullsOf: "open_since"
    )

    /// The table.
    public static let table = TableDescription(
        "extension_campaigns",
        columns: [
            .text("campaign_id"), .integer("created_at"), .text("product_ids"), .text("storefronts", optional: true),
            .integer("days"), .text("reason"), .integer("window_from", optional: true),
            .integer("window_to", optional: true), .text("method"), .text("drafted_by"), .text("state"),
            .integer("open_since", optional: true), .integer("dry_run_at", optional: true),
            .integer("dry_run_finished_at", optional: true), .text("dry_run_through", optional: true),
            .text("dry_run_counts", optional: true), .integer("approved_at", optional: true),
            .integer("started_at", optional: true), .integer("ended_at", optional: true),
            .flag("is_counting"), .text("enlisted_through", optional: true), .flag("is_enlisted"),
            .text("enlisted_counts"),
            .text("member_counts"), .integer("pauses"), .integer("retry_at", optional: true),
            .text("failure_code", optional: true), .text("failure_message", optional: true),
        ],
        key: ["campaign_id"],
        indexes: [byTime, open],
        lock: .row,
        isOftenEmpty: true,
        step: 20
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(id), .time(createdAt), .text(terms.productIDs.map(\.rawValue).joined(separator: "\n")),
            .text(terms.storefronts?.joined(separator: "\n")), .integer(terms.days), .text(terms.reason),
            .time(terms.window?.from), .time(terms.window?.to), .text(terms.method), .text(draftedBy), .text(state),
            .time(isOpen ? createdAt : nil), .time(dryRun?.startedAt), .time(dryRun?.finishedAt),
            .text(dryRun?.through), .text(dryRun?.counts.text), .time(approvedAt), .time(startedAt), .time(endedAt),
            .flag(isCounting), .text(enlistedThrough), .flag(isEnlisted), .text(enlisted.text),
            .text(members.countsText),
            .integer(pauses), .time(retryAt), .text(failure?.code), .text(failure?.message),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        var window: Window?
        if let from = try row.optionalTime(6) { window = Window(from: from, to: try row.time(7)) }
        let terms = Terms(
            productIDs: try row.text(2).lines.map(ProductID.init(rawValue:)),
            storefronts: try row.optionalText(3).map(\.lines),
            days: try row.count(4),
            reason: try row.choice(5),
            window: window,
            method: try row.choice(8)
        )
        self.init(id: try row.identifier(0), createdAt: try row.time(1), terms: terms, draftedBy: try row.text(9))
        state = try row.choice(10)
        if let startedAt = try row.optionalTime(12) {
            var run = DryRun(startedAt: startedAt)
            run.finishedAt = try row.optionalTime(13)
            run.through = try row.optionalIdentifier(14)
            run.counts = try CampaignCounts(text: try row.text(15))
            dryRun = run
        }
        approvedAt = try row.optionalTime(16)
        startedAt = try row.optionalTime(17)
        endedAt = try row.optionalTime(18)
        isCounting = try row.flag(19)
        enlistedThrough = try row.optionalIdentifier(20)
        isEnlisted = try row.flag(21)
        enlisted = try CampaignCounts(text: try row.text(22))
        members = try Dictionary(countsText: try row.text(23))
        pauses = try row.count(24)
        retryAt = try row.optionalTime(25)
        failure = try row.optionalFailure(26)
    }
}

extension CampaignCounts {
    /// One count for each line, with the group before the name.
    fileprivate var text: String {
        var all = ["eligible": eligible]
        for (group, counts) in groups { for (name, count) in counts { all["\(group):\(name)"] = count } }
        return all.countsText
    }

    private var groups: [(name: String, counts: [String: Int])] {
        [
            ("ineligible", ineligible), ("product", products), ("storefront", storefronts), ("renewal", renewals),
            ("ineligible_product", ineligibleProducts.joined), ("ineligible_storefront", ineligibleStorefronts.joined),
        ]
    }

    fileprivate init(text: String) throws(StorageError) {
        self.init()
        for (name, count) in try [String: Int](countsText: text) {
            let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch (parts[0], parts.count) {
            case ("eligible", 1): eligible = count
            case ("ineligible", 2): ineligible[parts[1]] = count
            case ("product", 2): products[parts[1]] = count
            case ("storefront", 2): storefronts[parts[1]] = count
            case ("renewal", 2): renewals[parts[1]] = count
            case ("ineligible_product", 2): try ineligibleProducts.set(count, at: parts[1])
            case ("ineligible_storefront", 2): try ineligibleStorefronts.set(count, at: parts[1])
            default: throw .unreadable("a count of a campaign")
            }
        }
    }
}

extension [String: [String: Int]] {
    /// The counts under both names: the inner one, which has no colon, a colon, and the outer one.
    fileprivate var joined: [String: Int] {
        var all: [String: Int] = [:]
        for (outer, counts) in self { for (inner, count) in counts { all["\(inner):\(outer)"] = count } }
        return all
    }

    /// Reads a count of ``joined``.
    fileprivate mutating func set(_ count: Int, at name: String) throws(StorageError) {
        guard let colon = name.firstIndex(of: ":") else { throw .unreadable("a count of a campaign") }
        self[String(name[name.index(after: colon)...]), default: [:]][String(name[..<colon])] = count
    }
}

extension String {
    fileprivate var lines: [String] { split(separator: "\n").map(String.init) }
}

extension TableReading {
    /// A campaign; nil if there is none.
    ///
    /// - Throws: ``StorageError``.
    public func extensionCampaign(
        _ id: ExtensionCampaignID,
        of app: AppID
    ) throws(StorageError) -> ExtensionCampaign? {
        try row(of: ExtensionCampaign.self, key: [.text(id)], in: app)
    }

    /// Campaigns, newest first.
    ///
    /// - Parameter last: The last campaign of the previous page; nil for the first page.
    /// - Throws: ``StorageError``.
    public func extensionCampaigns(
        of app: AppID,
        before last: ExtensionCampaign?,
        limit: Int
    ) throws(StorageError) -> [ExtensionCampaign] {
        let lookup = TableLookup(
            of: app,
            by: ExtensionCampaign.byTime,
            after: last.map { [.time($0.createdAt), .text($0.id)] } ?? [],
            order: .descending,
            limit: limit
        )
        return try rows(of: ExtensionCampaign.self, lookup)
    }

    /// The campaigns for which a server has something to do, oldest first.
    ///
    /// - Throws: ``StorageError``.
    public func openExtensionCampaigns(of app: AppID, limit: Int) throws(StorageError) -> [ExtensionCampaign] {
        try rows(of: ExtensionCampaign.self, TableLookup(of: app, by: ExtensionCampaign.open, limit: limit))
    }
}

extension TableWriting {
    /// Adds or replaces a campaign.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ campaign: ExtensionCampaign, of app: AppID) throws(StorageError) {
        try save(campaign, in: app)
    }
}
