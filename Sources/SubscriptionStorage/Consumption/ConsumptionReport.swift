public import SubscriptionCore

/// What the developer's backend reported about the consumption of a purchase.
public struct ConsumptionReport: Hashable, Sendable {
    /// The purchase.
    public var purchaseID: OriginalTransactionID
    /// The owner of the purchase at the time of the report, whose consent it is; nil if there was none.
    public var customerID: CustomerID?
    /// Whether the customer agreed that Apple gets consumption data; nil if it was not asked.
    public var consents: Bool?
    /// Whether the customer received a working purchase; nil if it was not reported.
    public var delivery: ConsumptionFacts.Delivery?
    /// The consumed part, in thousandths of a percent; nil if it was not reported.
    public var percentage: Int?
    /// Whether the customer could try it before; nil if it was not reported.
    public var sampleProvided: Bool?
    /// When it was reported.
    public var updatedAt: Timestamp

    /// Makes a report.
    public init(
        purchaseID: OriginalTransactionID,
        customerID: CustomerID? = nil,
        consents: Bool? = nil,
        delivery: ConsumptionFacts.Delivery? = nil,
        percentage: Int? = nil,
        sampleProvided: Bool? = nil,
        updatedAt: Timestamp
    ) {
        self.purchaseID = purchaseID
        self.customerID = customerID
        self.consents = consents
        self.delivery = delivery
        self.percentage = percentage
        self.sampleProvided = sampleProvided
        self.updatedAt = updatedAt
    }
}

extension ConsumptionReport: TableRecord {
    /// The table. Writes lock the purchase.
    public static let table = TableDescription(
        "consumption_reports",
        columns: [
            .text("purchase_id"), .flag("consents", optional: true), .text("delivery", optional: true),
            .integer("percentage", optional: true), .flag("sample_provided", optional: true), .integer("updated_at"),
            .text("customer_id", optional: true),
        ],
        key: ["purchase_id"],
        lock: .purchase("purchase_id"),
        isOftenEmpty: true,
        step: 21
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(purchaseID), .flag(consents), .text(delivery), .integer(percentage), .flag(sampleProvided),
            .time(updatedAt), .text(customerID),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            purchaseID: try row.identifier(0),
            customerID: try row.optionalIdentifier(6),
            consents: try row.optionalFlag(1),
            delivery: try row.optionalChoice(2),
            percentage: try row.optionalCount(3),
            sampleProvided: try row.optionalFlag(4),
            updatedAt: try row.time(5)
        )
    }
}

extension TableReading {
    /// What was reported about a purchase; nil if nothing was.
    ///
    /// - Throws: ``StorageError``.
    public func consumptionReport(
        on purchase: OriginalTransactionID,
        app: AppID
    ) throws(StorageError) -> ConsumptionReport? {
        try row(of: ConsumptionReport.self, key: [.text(purchase)], in: app)
    }
}

extension TableWriting {
    /// Adds or replaces a report.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ report: ConsumptionReport, of app: AppID) throws(StorageError) { try save(report, in: app) }

    /// Removes what was reported about a purchase.
    ///
    /// - Throws: ``StorageError``.
    public func removeConsumptionReport(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) {
        try remove(ConsumptionReport.self, TableLookup(of: app, equal: [.text(purchase)]))
    }
}
