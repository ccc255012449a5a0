public import SubscriptionCore

/// An extension of a subscription's period: one that an operator asked for, or one that Apple announced.
///
/// The row is committed before Apple is asked, so that no extension is asked for twice.
public struct RenewalExtension: Hashable, Sendable {
    /// How far it is.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It belongs to a campaign, and Apple has not been asked, or asks to try again.
        case planned
        /// It belongs to a campaign, and Apple extends all subscribers of its product by one order.
        case ordered
        /// Apple was asked, or is being asked, and it is not known yet whether the period was extended.
        case asked
        /// The period was extended.
        case extended
        /// Apple refused it. Or Apple's order did not extend it, and the ledger had something against asking alone. Or
        /// Apple could not find it or did not extend it by an order, and then the campaign was cancelled.
        case refused
        /// It belongs to a campaign. The ledger had something against it when its turn came, or the campaign was
        /// cancelled before, and Apple was never asked.
        case skipped
        /// Apple gave no answer, and the end of the period did not change for an hour.
        case unknown
    }

    /// Who caused it.
    public enum Origin: String, Hashable, Sendable, CaseIterable {
        /// An operator asked this server for it.
        case request
        /// A campaign of this server, by an order for all subscribers of the product.
        case order
        /// Apple announced it, and nobody asked this server: it was made in App Store Connect or by another program, or
        /// it is that of a family member's copy or an assigned seat, which followed the purchaser's.
        case apple
    }

    /// The reason that the server sends Apple.
    ///
    /// - Source: App Store Server API, extendReasonCode.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// No reason.
        case undeclared
        /// The customer's satisfaction.
        case satisfaction
        /// Another reason.
        case other
        /// The service did not work.
        case outage
    }

    /// Its identifier: Apple's `requestIdentifier`. For one that Apple announced, the identifier of the notification.
    public var id: RenewalExtensionID
    /// The subscription.
    public var purchaseID: OriginalTransactionID
    /// Who caused it.
    public var origin: Origin
    /// When it was asked for, or when Apple signed the announcement.
    public var createdAt: Timestamp
    /// The number of days that were asked for; nil if nobody asked this server.
    public var days: Int?
    /// The reason that the server sent Apple; nil if nobody asked this server.
    public var reason: Reason?
    /// The transaction of the period.
    public var transactionID: TransactionID
    /// The end of the period before; nil if it is not known.
    public var previousEnd: Timestamp?
    /// How far it is.
    public var state: State
    /// The end of the period after it; nil while it is not known.
    public var newEnd: Timestamp?
    /// When Apple signed its announcement; nil until it arrives.
    public var announcedAt: Timestamp?
    /// When Apple is asked for the end of the period; nil if that is not needed.
    public var checkAt: Timestamp?
    /// The number of times that Apple was asked for the end of the period.
    public var checks = 0
    /// Why it was not made or Apple is asked again, or that an extension that Apple confirmed was not seen; nil if it
    /// was made, or if that is not known yet.
    public var failure: StoredFailure?
    /// The product for which a campaign has it; nil outside of campaigns.
    public var productID: ProductID?
    /// The campaign that it is a member of; nil if an operator or Apple extended this subscription alone.
    public var campaignID: ExtensionCampaignID?
    /// The ``result`` under which the campaign has counted it; nil before.
    public var countedAs: String?

    /// The ``result`` of an extension that an order made.
    private static let extendedByOrderResult = "\(State.extended.rawValue):\(Origin.order.rawValue)"
    /// The ``result`` of an extension that Apple confirmed, and that nothing signed shows.
    public static let unseenResult = "extended:unseen"

    /// How long a campaign waits before it asks again about a member that Apple could not find.
    ///
    /// - Units: milliseconds.
    private static let postponement: Int64 = 600_000
    /// The code of a planned member that Apple could not find.
    private static let notFound = "app_store_unavailable"
    /// The unit of the times in a ``result``.
    private static let minute: Int64 = 60_000

    /// When Apple is asked again about a member that it could not find, and about which it asks to try again; nil for
    /// others.
    public var nextTryAt: Timestamp? {
        guard state == .planned, failure?.code == Self.notFound else { return nil }
        return createdAt.adding(milliseconds: Self.postponement)
    }

    /// The beginning of the ``result`` of a member with a ``nextTryAt``. The time follows, in milliseconds.
    static let postponedPrefix = "\(State.planned.rawValue):"

    /// The name under which a campaign counts it: the state, with the code of a refusal or an obstacle, or with the
    /// order, or with the finding that nothing shows the extension, or with the time of the next try.
    ///
    /// That time is rounded up to the minute, so that a campaign has few names.
    public var result: String {
        switch state {
        case .planned: postponedResult ?? state.rawValue
        case .refused, .skipped: "\(state.rawValue):\(failure?.code ?? "")"
        case .extended where failure != nil: Self.unseenResult
        case .extended where origin == .order: Self.extendedByOrderResult
        default: state.rawValue
        }
    }

    private var postponedResult: String? {
        guard let nextTryAt else { return nil }
        let rest = nextTryAt.milliseconds % Self.minute
        let time = rest == 0 ? nextTryAt : nextTryAt.adding(milliseconds: Self.minute - rest)
        return "\(Self.postponedPrefix)\(time.milliseconds)"
    }

    /// Makes an extension.
    public init(
        id: RenewalExtensionID,
        purchaseID: OriginalTransactionID,
        origin: Origin,
        createdAt: Timestamp,
        state: State,
        transactionID: TransactionID,
        previousEnd: Timestamp? = nil
    ) {
        self.id = id
        self.purchaseID = purchaseID
        self.origin = origin
        self.createdAt = createdAt
        self.state = state
        self.transactionID = transactionID
        self.previousEnd = previousEnd
    }
}

/// The identifier of an extension.
public struct RenewalExtensionID: TextIdentifier {
    /// The text.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension RenewalExtension: TableRecord {
    fileprivate static let byPurchase = TableIndex(
        "renewal_extensions_by_purchase",
        ["purchase_id", "created_at", "extension_id"]
    )
    fileprivate static let byCheck = TableIndex(
        "renewal_extensions_by_check",
        ["check_at", "extension_id"],
        omitsNullsOf: "check_at"
    )

    fileprivate static let byCampaign = TableIndex(
        "renewal_extensions_by_campaign",
        ["campaign_id", "state", "extension_id"],
        omitsNullsOf: "campaign_id",
        step: 20
    )
    fileprivate static let uncounted = TableIndex(
        "renewal_extensions_uncounted",
        ["uncounted_in", "extension_id"],
        omitsNullsOf: "uncounted_in",
        step: 20
    )

    /// The table. Writes lock the purchase, as the facts of a purchase do.
    public static let table = TableDescription(
        "renewal_extensions",
        columns: [
            .text("extension_id"), .text("purchase_id"), .text("origin"), .integer("created_at"),
            .integer("days", optional: true), .text("reason", optional: true), .text("transaction_id"),
            .integer("previous_end", optional: true), .text("state"), .integer("new_end", optional: true),
            .integer("announced_at", optional: true), .integer("check_at", optional: true), .integer("checks"),
            .text("failure_code", optional: true), .text("failure_message", optional: true),
            .text("campaign_id", optional: true, step: 20), .text("counted_as", optional: true, step: 20),
            .text("uncounted_in", optional: true, step: 20), .text("product_id", optional: true, step: 20),
        ],
        key: ["extension_id"],
        indexes: [byPurchase, byCheck, byCampaign, uncounted],
        lock: .purchase("purchase_id"),
        isOftenEmpty: true,
        step: 19
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(id), .text(purchaseID), .text(origin), .time(createdAt), .integer(days), .text(reason),
            .text(transactionID), .time(previousEnd), .text(state), .time(newEnd), .time(announcedAt),
            .time(checkAt), .integer(checks), .text(failure?.code), .text(failure?.message), .text(campaignID),
            .text(countedAs), .text(countedAs == result ? nil : campaignID),
            .text(productID),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(0),
            purchaseID: try row.identifier(1),
            origin: try row.choice(2),
            createdAt: try row.time(3),
            state: try row.choice(8),
            transactionID: try row.identifier(6),
            previousEnd: try row.optionalTime(7)
        )
        days = try row.optionalCount(4)
        reason = try row.optionalChoice(5)
        newEnd = try row.optionalTime(9)
        announcedAt = try row.optionalTime(10)
        checkAt = try row.optionalTime(11)
        checks = try row.count(12)
        failure = try row.optionalFailure(13)
        campaignID = try row.optionalIdentifier(15)
        countedAs = try row.optionalText(16)
        productID = try row.optionalIdentifier(18)
    }
}

extension TableReading {
    /// An extension; nil if there is none.
    ///
    /// - Throws: ``StorageError``.
    public func renewalExtension(_ id: RenewalExtensionID, of app: AppID) throws(StorageError) -> RenewalExtension? {
        try row(of: RenewalExtension.self, key: [.text(id)], in: app)
    }

    /// The newest extensions of a subscription, newest first.
    ///
    /// - Throws: ``StorageError``.
    public func renewalExtensions(
        of purchase: OriginalTransactionID,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [RenewalExtension] {
        let lookup = TableLookup(
            of: app,
            by: RenewalExtension.byPurchase,
            equal: [.text(purchase)],
            order: .descending,
            limit: limit
        )
        return try rows(of: RenewalExtension.self, lookup)
    }

    /// The newest extensions of several subscriptions, in the same order.
    ///
    /// - Throws: ``StorageError``.
    public func renewalExtensions(
        of purchases: [OriginalTransactionID],
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [[RenewalExtension]] {
        let lookups = purchases.map { purchase in
            TableLookup(
                of: app,
                by: RenewalExtension.byPurchase,
                equal: [.text(purchase)],
                order: .descending,
                limit: limit
            )
        }
        return try rows(of: RenewalExtension.self, lookups)
    }

    /// The extensions that are to be checked at or before a time, oldest first.
    ///
    /// - Throws: ``StorageError``.
    public func renewalExtensions(
        toCheckUntil now: Timestamp,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [RenewalExtension] {
        let lookup = TableLookup(of: app, by: RenewalExtension.byCheck, through: .time(now), limit: limit)
        return try rows(of: RenewalExtension.self, lookup)
    }

    /// The members of a campaign in a state, by identifier.
    ///
    /// - Parameter id: The last member of the previous page; nil for the first page.
    /// - Throws: ``StorageError``.
    public func members(
        of campaign: ExtensionCampaignID,
        in state: RenewalExtension.State,
        after id: RenewalExtensionID? = nil,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [RenewalExtension] {
        let lookup = TableLookup(
            of: app,
            by: RenewalExtension.byCampaign,
            equal: [.text(campaign), .text(state)],
            after: id.map { [.text($0)] } ?? [],
            limit: limit
        )
        return try rows(of: RenewalExtension.self, lookup)
    }

    /// The members of a campaign whose result has changed since the campaign counted them, by identifier.
    ///
    /// - Parameter id: The last member of the previous page; nil for the first page.
    /// - Throws: ``StorageError``.
    public func uncountedMembers(
        of campaign: ExtensionCampaignID,
        after id: RenewalExtensionID? = nil,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [RenewalExtension] {
        let lookup = TableLookup(
            of: app,
            by: RenewalExtension.uncounted,
            equal: [.text(campaign)],
            after: id.map { [.text($0)] } ?? [],
            limit: limit
        )
        return try rows(of: RenewalExtension.self, lookup)
    }

    /// The members of all campaigns whose result has changed since, by campaign.
    ///
    /// - Throws: ``StorageError``.
    public func uncountedMembers(app: AppID, limit: Int) throws(StorageError) -> [RenewalExtension] {
        try rows(of: RenewalExtension.self, TableLookup(of: app, by: RenewalExtension.uncounted, limit: limit))
    }

    /// The first members of several campaigns whose result has changed since, in the same order.
    ///
    /// - Throws: ``StorageError``.
    public func uncountedMembers(
        of campaigns: [ExtensionCampaignID],
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [[RenewalExtension]] {
        let lookups = campaigns.map { campaign in
            TableLookup(of: app, by: RenewalExtension.uncounted, equal: [.text(campaign)], limit: limit)
        }
        return try rows(of: RenewalExtension.self, lookups)
    }
}

extension TableWriting {
    /// Adds or replaces an extension.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ renewalExtension: RenewalExtension, of app: AppID) throws(StorageError) {
        try save(renewalExtension, in: app)
    }

    /// Changes an extension that this write has read.
    ///
    /// - Throws: ``StorageError``.
    public func update(
        _ renewalExtension: RenewalExtension,
        from previous: RenewalExtension,
        of app: AppID
    ) throws(StorageError) {
        try update(renewalExtension, from: previous, in: app)
    }
}
