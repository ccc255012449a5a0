public import SubscriptionCore

/// How the notifications of one commit changed the counts of a campaign.
///
/// ``ExtensionCampaign/members`` does not contain it yet: notifications must not wait for the row of the campaign. The
/// server that works on campaigns adds the changes to that row soon.
public struct CampaignCountChange: Hashable, Sendable {
    /// The campaign.
    public var campaignID: ExtensionCampaignID
    /// The identifier: that of the first notification.
    public var id: EvidenceID
    /// By ``RenewalExtension/result``, the difference in the number of members; negative if there are fewer.
    public var counts: [String: Int]

    /// Makes a change.
    public init(campaignID: ExtensionCampaignID, id: EvidenceID, counts: [String: Int] = [:]) {
        self.campaignID = campaignID
        self.id = id
        self.counts = counts
    }
}

extension CampaignCountChange: TableRecord {
    /// The table. Notifications only add rows, and only the server that works on the campaigns of an app removes them.
    public static let table = TableDescription(
        "campaign_count_changes",
        columns: [.text("campaign_id"), .text("change_id"), .text("counts")],
        key: ["campaign_id", "change_id"],
        lock: .none,
        isOftenEmpty: true,
        step: 26
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.text(campaignID), .text(id), .text(counts.countsText)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            campaignID: try row.identifier(0),
            id: try row.identifier(1),
            counts: try Dictionary(countsText: try row.text(2))
        )
    }
}

extension TableReading {
    /// Changes of the counts of campaigns that the campaigns do not contain yet.
    ///
    /// - Throws: ``StorageError``.
    public func campaignCountChanges(app: AppID, limit: Int) throws(StorageError) -> [CampaignCountChange] {
        try rows(of: CampaignCountChange.self, TableLookup(of: app, limit: limit))
    }

    /// The same of one campaign.
    ///
    /// - Throws: ``StorageError``.
    public func campaignCountChanges(
        of campaign: ExtensionCampaignID,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [CampaignCountChange] {
        let lookup = TableLookup(of: app, equal: [.text(campaign)], limit: limit)
        return try rows(of: CampaignCountChange.self, lookup)
    }

    /// All of several campaigns, in the same order.
    ///
    /// - Throws: ``StorageError``.
    public func campaignCountChanges(
        of campaigns: [ExtensionCampaignID],
        app: AppID
    ) throws(StorageError) -> [[CampaignCountChange]] {
        let lookups = campaigns.map { TableLookup(of: app, equal: [.text($0)]) }
        return try rows(of: CampaignCountChange.self, lookups)
    }
}

extension TableWriting {
    /// Adds a change.
    ///
    /// - Throws: ``StorageError``.
    public func insert(_ change: CampaignCountChange, of app: AppID) throws(StorageError) {
        try insert(once: change, in: app)
    }

    /// Removes a change that the campaign's counts contain now.
    ///
    /// - Throws: ``StorageError``.
    public func remove(_ change: CampaignCountChange, of app: AppID) throws(StorageError) {
        let lookup = TableLookup(of: app, equal: [.text(change.campaignID), .text(change.id)])
        try remove(CampaignCountChange.self, lookup)
    }
}
