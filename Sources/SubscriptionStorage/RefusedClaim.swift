public import SubscriptionCore

/// A refused claim: a customer submitted a purchase of another customer and did not get it. Nothing is derived from it.
/// It is stored for people, and only the newest ones of each purchase.
public struct RefusedClaim: Hashable, Sendable {
    /// The maximum number of stored refused claims of one purchase.
    public static let keptMax = 20

    /// The purchase.
    public var purchaseID: OriginalTransactionID
    /// The customer it was submitted for, by the submitted identifier.
    public var customerID: CustomerID
    /// The signed input that was submitted.
    public var evidenceID: EvidenceID
    /// When.
    public var claimedAt: Timestamp
    /// The app's transfer policy at that time.
    public var policy: TransferPolicy
    /// Why it was refused.
    public var reason: ClaimRefusal
    /// The number of older refused claims of the purchase that were dropped by then.
    public var droppedBefore: Int64

    /// Makes a record.
    public init(
        of claim: ClaimRecord,
        because reason: ClaimRefusal,
        droppedBefore: Int64 = 0
    ) {
        purchaseID = claim.purchaseID
        customerID = claim.customerID
        evidenceID = claim.evidenceID
        claimedAt = claim.claimedAt
        policy = claim.policy
        self.reason = reason
        self.droppedBefore = droppedBefore
    }
}

extension RefusedClaim: TableRecord {
    fileprivate static let byCustomer = TableIndex(
        "refused_claims_by_customer",
        ["customer_id", "original_transaction_id"],
        lock: .customer("customer_id")
    )

    /// The table, which is empty for most apps.
    public static let table = TableDescription(
        "refused_claims",
        columns: [
            .text("original_transaction_id"), .text("customer_id"), .text("evidence_id"), .integer("claimed_at"),
            .text("policy"), .text("reason"), .integer("dropped_before"),
        ],
        key: ["original_transaction_id", "customer_id"],
        indexes: [byCustomer],
        lock: .purchase("original_transaction_id"),
        isOftenEmpty: true,
        step: 11
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(purchaseID), .text(customerID), .text(evidenceID), .time(claimedAt), .text(policy), .text(reason),
            .integer(droppedBefore),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        let claim = ClaimRecord(
            purchaseID: try row.identifier(0),
            customerID: try row.identifier(1),
            evidenceID: try row.identifier(2),
            claimedAt: try row.time(3),
            policy: try row.choice(4)
        )
        self.init(of: claim, because: try row.choice(5), droppedBefore: try row.integer(6))
    }
}

extension TableReading {
    /// The newest refused claims on purchases, in order of time.
    ///
    /// - Throws: ``StorageError``.
    public func refusedClaims(
        on purchases: [OriginalTransactionID],
        app: AppID
    ) throws(StorageError) -> [RefusedClaim] {
        let lookups = purchases.map { TableLookup(of: app, equal: [.text($0)]) }
        return try rows(of: RefusedClaim.self, lookups).flatMap(\.self).inOrderOfTime
    }

    /// The refused claims by customers, in order of time.
    ///
    /// - Throws: ``StorageError``.
    public func refusedClaims(by customers: [CustomerID], app: AppID) throws(StorageError) -> [RefusedClaim] {
        let lookups = customers.map { TableLookup(of: app, by: RefusedClaim.byCustomer, equal: [.text($0)]) }
        return try rows(of: RefusedClaim.self, lookups).flatMap(\.self).inOrderOfTime
    }
}

extension TableWriting {
    /// Adds a refused claim, or replaces the one of the same customer on the same purchase.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ refused: RefusedClaim, of app: AppID) throws(StorageError) { try save(refused, in: app) }

    /// Removes a refused claim.
    ///
    /// - Throws: ``StorageError``.
    public func removeRefusedClaim(
        on purchase: OriginalTransactionID,
        by customer: CustomerID,
        app: AppID
    ) throws(StorageError) {
        try remove(RefusedClaim.self, TableLookup(of: app, equal: [.text(purchase), .text(customer)]))
    }
}

extension [RefusedClaim] {
    /// In order of time.
    fileprivate var inOrderOfTime: [RefusedClaim] {
        sorted { left, right in
            (left.claimedAt, left.purchaseID, left.customerID) < (right.claimedAt, right.purchaseID, right.customerID)
        }
    }
}
