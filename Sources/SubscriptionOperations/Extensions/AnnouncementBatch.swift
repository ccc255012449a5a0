import SubscriptionCore
import SubscriptionStorage

/// What the announcements of extensions in one commit share: the orders of campaigns, and the changes of their counts.
///
/// A commit may have many announcements of one order.
struct AnnouncementBatch {
    private struct Campaign: Hashable {
        let app: AppID
        let id: ExtensionCampaignID
    }
    private struct Order: Hashable {
        let campaign: Campaign
        let product: ProductID
    }

    private var orders: [Order: MassExtensionOrder?] = [:]
    private var changes: [Campaign: CampaignCountChange] = [:]

    /// The order that a member belongs to; nil if there is none. It is read once in a commit.
    ///
    /// - Throws: ``StorageError``.
    mutating func order(
        of member: RenewalExtension,
        app: AppID,
        in storage: any StorageWriting
    ) throws(StorageError) -> MassExtensionOrder? {
        guard let campaign = member.campaignID, let product = member.productID else { return nil }
        let key = Order(campaign: Campaign(app: app, id: campaign), product: product)
        if let known = orders[key] { return known }
        let order = try storage.massExtensionOrder(of: campaign, for: product, app: app)
        orders[key] = .some(order)
        return order
    }

    /// Saves an order that Apple's summary ended.
    ///
    /// - Throws: ``StorageError``.
    mutating func save(
        _ order: MassExtensionOrder,
        of app: AppID,
        in storage: any StorageWriting
    ) throws(StorageError) {
        try storage.save(order, of: app)
        orders[Order(campaign: Campaign(app: app, id: order.campaignID), product: order.productID)] = .some(order)
    }

    /// Saves an extension, and counts the result of a campaign's member.
    ///
    /// - Parameters:
    ///   - previous: The stored row; nil for a new one.
    ///   - notification: The notification that changed it.
    /// - Throws: ``StorageError``.
    mutating func save(
        _ row: RenewalExtension,
        from previous: RenewalExtension?,
        because notification: EvidenceRecord,
        in storage: any StorageWriting
    ) throws(StorageError) {
        let app = notification.appID
        guard let previous else { return try storage.save(row, of: app) }
        var row = row
        let result = row.result
        if let campaign = row.campaignID, row.countedAs != result {
            let key = Campaign(app: app, id: campaign)
            var change = changes[key] ?? CampaignCountChange(campaignID: campaign, id: notification.id)
            if let before = row.countedAs { change.counts.add(-1, to: before) }
            change.counts.add(1, to: result)
            row.countedAs = result
            changes[key] = change
        }
        try storage.update(row, from: previous, of: app)
    }

    /// Stores the changes of the counts: a row for each campaign.
    ///
    /// - Throws: ``StorageError``.
    func storeChanges(in storage: any StorageWriting) throws(StorageError) {
        for (campaign, change) in changes { try storage.insert(change, of: campaign.app) }
    }
}

extension [String: Int] {
    /// Adds to a count. There is no entry for zero.
    mutating func add(_ number: Int, to name: String) {
        let count = (self[name] ?? 0) + number
        self[name] = count == 0 ? nil : count
    }
}
