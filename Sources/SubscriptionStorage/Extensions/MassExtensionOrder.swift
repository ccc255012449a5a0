import PerennialPrimitives
public import SubscriptionCore

/// An order of a campaign: Apple extends all active subscribers of a product.
public struct MassExtensionOrder: Hashable, Sendable {
    /// How far it is.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Apple has not accepted it yet, or does not say whether it has it.
        case waiting
        /// Apple carries it out.
        case accepted
        /// Apple has carried it out.
        case complete
        /// Apple refused it, or did not complete it for a week, or did not say for a week after a cancel whether it has
        /// it. The members of a refused one are asked about one by one.
        case ended
    }

    /// The campaign.
    public var campaignID: ExtensionCampaignID
    /// The product.
    public var productID: ProductID
    /// Apple's `requestIdentifier`: a UUID with the digits of the campaign's identifier and a number.
    ///
    /// Orders of earlier versions have the campaign's identifier, a hyphen and a number, which Apple refuses.
    public var requestID: String
    /// How far it is.
    public var state = State.waiting
    /// When Apple was first asked for it; nil before, and in orders that an earlier version made.
    ///
    /// It is stored before the call. Apple may carry the order out although its answer is lost.
    public var askedAt: Timestamp?
    /// When the server learned that Apple accepted it; nil before.
    public var acceptedAt: Timestamp?
    /// When Apple's status is asked for; nil if it is not.
    public var checkAt: Timestamp?
    /// How often it was asked for.
    public var checks = 0
    /// When Apple completed it; nil before.
    public var completedAt: Timestamp?
    /// How many Apple extended, in its own words; nil if it has not said.
    public var succeeded: Int?
    /// How many Apple could not extend, in its own words; nil if it has not said.
    public var failed: Int?
    /// When Apple signed its summary; nil until it arrives.
    public var summaryAt: Timestamp?
    /// Why it was refused or ended, or that Apple's summary and its status differ; nil otherwise.
    public var failure: StoredFailure?

    /// Makes an order that Apple has not accepted.
    public init(campaignID: ExtensionCampaignID, productID: ProductID, requestID: String) {
        self.campaignID = campaignID
        self.productID = productID
        self.requestID = requestID
    }

    /// Whether Apple may have extended subscriptions for it.
    public var wasAccepted: Bool { acceptedAt != nil }

    /// Whether Apple may still extend subscriptions for it.
    public var isOpen: Bool { state == .waiting || state == .accepted }
}

extension MassExtensionOrder {
    /// Apple's `requestIdentifier` of an order: always the same for the same campaign and number.
    ///
    /// The UUID has the form of version 4, which every check of a UUID takes: the first 12 digits of the campaign's
    /// identifier, `40`, the number, `8000`, and its last 12 digits. So the order of a summary is found without an
    /// index of identifiers.
    ///
    /// - Parameters:
    ///   - campaign: The campaign. An identifier that no server made has no UUID, and Apple refuses the result.
    ///   - number: The position of the product in the campaign's terms, from 1 to 255.
    /// - Source: App Store Server API, InvalidRequestIdentifierError: for Extend Subscription Renewal Dates for All
    ///   Active Subscribers and for Get Status of Subscription Renewal Date Extensions, the `requestIdentifier` must be
    ///   a UUID. Unverified: whether Apple checks the version.
    public static func requestID(of campaign: ExtensionCampaignID, number: Int) -> String {
        guard let digits = campaign.digits, let byte = UInt8(exactly: number) else {
            return "\(campaign.rawValue)-\(number)"
        }
        let middle = "\(digits.dropFirst(8).prefix(4))-40\([byte].hexadecimal)-8000"
        return "\(digits.prefix(8))-\(middle)-\(digits.suffix(12))"
    }

    /// The campaign of an order.
    ///
    /// - Parameter request: Apple's `requestIdentifier`, in lower case if it is a UUID.
    fileprivate static func campaign(of request: String) -> ExtensionCampaignID? {
        guard request.isUUID else {
            return request.lastIndex(of: "-").map { ExtensionCampaignID(rawValue: String(request[..<$0])) }
        }
        let digits = request.filter { $0 != "-" }
        return ExtensionCampaignID(digits: "\(digits.prefix(12))\(digits.suffix(12))")
    }
}

extension MassExtensionOrder: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "mass_extension_orders",
        columns: [
            .text("campaign_id"), .text("product_id"), .text("request_id"), .text("state"),
            .integer("accepted_at", optional: true), .integer("look_at", optional: true), .integer("looks"),
            .integer("completed_at", optional: true), .integer("succeeded", optional: true),
            .integer("failed", optional: true), .integer("summary_at", optional: true),
            .text("failure_code", optional: true), .text("failure_message", optional: true),
            .integer("asked_at", optional: true, step: 25),
        ],
        key: ["campaign_id", "product_id"],
        lock: .row,
        isOftenEmpty: true,
        step: 20
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(campaignID), .text(productID), .text(requestID), .text(state), .time(acceptedAt), .time(checkAt),
            .integer(checks), .time(completedAt), .integer(succeeded), .integer(failed), .time(summaryAt),
            .text(failure?.code), .text(failure?.message), .time(askedAt),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            campaignID: try row.identifier(0),
            productID: try row.identifier(1),
            requestID: try row.text(2)
        )
        state = try row.choice(3)
        acceptedAt = try row.optionalTime(4)
        checkAt = try row.optionalTime(5)
        checks = try row.count(6)
        completedAt = try row.optionalTime(7)
        succeeded = try row.optionalCount(8)
        failed = try row.optionalCount(9)
        summaryAt = try row.optionalTime(10)
        failure = try row.optionalFailure(11)
        askedAt = try row.optionalTime(13)
    }
}

extension TableReading {
    /// The orders of a campaign, by product.
    ///
    /// - Throws: ``StorageError``.
    public func massExtensionOrders(
        of campaign: ExtensionCampaignID,
        app: AppID
    ) throws(StorageError) -> [MassExtensionOrder] {
        try rows(of: MassExtensionOrder.self, TableLookup(of: app, equal: [.text(campaign)]))
    }

    /// The order of a campaign for a product; nil if there is none. In a write, it is locked.
    ///
    /// - Throws: ``StorageError``.
    public func massExtensionOrder(
        of campaign: ExtensionCampaignID,
        for product: ProductID,
        app: AppID
    ) throws(StorageError) -> MassExtensionOrder? {
        try row(of: MassExtensionOrder.self, key: [.text(campaign), .text(product)], in: app)
    }

    /// The order with one of Apple's request identifiers; nil if this server did not make it. In a write, it is locked.
    ///
    /// Apple may write a UUID in either case.
    ///
    /// - Throws: ``StorageError``.
    public func massExtensionOrder(of request: String, app: AppID) throws(StorageError) -> MassExtensionOrder? {
        let request = request.isUUID ? request.lowercased() : request
        guard let campaign = MassExtensionOrder.campaign(of: request) else { return nil }
        let found = try massExtensionOrders(of: campaign, app: app).first { $0.requestID == request }
        return try found.flatMap { order throws(StorageError) in
            try massExtensionOrder(of: campaign, for: order.productID, app: app)
        }
    }
}

extension TableWriting {
    /// Adds or replaces an order.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ order: MassExtensionOrder, of app: AppID) throws(StorageError) { try save(order, in: app) }
}
