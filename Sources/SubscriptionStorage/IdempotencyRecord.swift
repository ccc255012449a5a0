public import SubscriptionCore

/// A request with an idempotency key: it is processed once, and copies get the same response.
public struct IdempotencyRecord: Hashable, Sendable {
    /// The response.
    public struct Answer: Hashable, Sendable {
        /// The HTTP status.
        public var status: Int
        /// The body.
        public var body: [UInt8]

        /// Makes a response.
        public init(status: Int, body: [UInt8]) {
            self.status = status
            self.body = body
        }
    }

    /// The idempotency key.
    public var key: String
    /// SHA-256 of the request.
    public var requestDigest: [UInt8]
    /// When the first copy began. Together with the key it identifies the request.
    public var startedAt: Timestamp
    /// When the running copy began; nil if none is running. It stays set if the process of that copy ended.
    public var leasedAt: Timestamp?
    /// The response; nil until the request was processed.
    public var answer: Answer?
    /// The customers in the response, at most two: it is removed when any of them is erased.
    public var customers: [CustomerID]

    /// The maximum number of customers in a response.
    public static let customersMax = 2

    /// Makes a record.
    public init(
        key: String,
        requestDigest: [UInt8],
        startedAt: Timestamp,
        leasedAt: Timestamp? = nil,
        answer: Answer? = nil,
        customers: [CustomerID] = []
    ) {
        self.key = key
        self.requestDigest = requestDigest
        self.startedAt = startedAt
        self.leasedAt = leasedAt
        self.answer = answer
        self.customers = Array(customers.prefix(Self.customersMax))
    }
}

extension IdempotencyRecord: TableRecord {
    fileprivate static let byAge = TableIndex("idempotency_keys_by_age", ["started_at", "idempotency_key"])
    fileprivate static let byCustomer = TableIndex(
        "idempotency_keys_by_customer",
        ["customer_id"],
        omitsNullsOf: "customer_id",
        step: 6
    )
    fileprivate static let byOtherCustomer = TableIndex(
        "idempotency_keys_by_other_customer",
        ["other_customer_id"],
        omitsNullsOf: "other_customer_id",
        step: 6
    )

    /// The table.
    public static let table = TableDescription(
        "idempotency_keys",
        columns: [
            .text("idempotency_key"), .bytes("request_digest"), .integer("started_at"),
            .integer("status", optional: true), .bytes("body", optional: true),
            .integer("leased_at", optional: true, step: 2), .text("customer_id", optional: true, step: 6),
            .text("other_customer_id", optional: true, step: 6),
        ],
        key: ["idempotency_key"],
        indexes: [byAge, byCustomer, byOtherCustomer],
        lock: .row,
        step: 1
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(key), .bytes(requestDigest), .time(startedAt), .integer(answer?.status), .bytes(answer?.body),
            .time(leasedAt), .text(customers.first), .text(customers.dropFirst().first),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        let customers: [CustomerID?] = [try row.optionalIdentifier(6), try row.optionalIdentifier(7)]
        var answer: Answer?
        if let status = try row.optionalCount(3) { answer = Answer(status: status, body: try row.bytes(4)) }
        self.init(
            key: try row.text(0),
            requestDigest: try row.bytes(1),
            startedAt: try row.time(2),
            leasedAt: try row.optionalTime(5),
            answer: answer,
            customers: customers.compactMap(\.self)
        )
    }
}

extension TableReading {
    /// The record of a request by its key.
    ///
    /// - Throws: ``StorageError``.
    public func idempotencyRecord(_ key: String, of app: AppID) throws(StorageError) -> IdempotencyRecord? {
        try row(of: IdempotencyRecord.self, key: [.string(key)], in: app)
    }
}

extension TableWriting {
    /// Adds or replaces the record of a request.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ record: IdempotencyRecord, of app: AppID) throws(StorageError) { try save(record, in: app) }

    /// Removes a request.
    ///
    /// - Throws: ``StorageError``.
    public func removeIdempotencyRecord(_ key: String, of app: AppID) throws(StorageError) {
        try remove(IdempotencyRecord.self, TableLookup(of: app, equal: [.string(key)]))
    }

    /// Removes requests that began before a time, oldest first, at most `limit`.
    ///
    /// - Throws: ``StorageError``.
    public func removeIdempotencyRecords(before time: Timestamp, limit: Int, of app: AppID) throws(StorageError) {
        let last = ColumnValue.time(time.adding(milliseconds: -1))
        let lookup = TableLookup(of: app, by: IdempotencyRecord.byAge, through: last, limit: limit)
        try remove(IdempotencyRecord.self, lookup)
    }

    /// Removes the requests with a customer in their responses.
    ///
    /// - Throws: ``StorageError``.
    public func removeIdempotencyRecords(about customer: CustomerID, of app: AppID) throws(StorageError) {
        for index in [IdempotencyRecord.byCustomer, IdempotencyRecord.byOtherCustomer] {
            try remove(IdempotencyRecord.self, TableLookup(of: app, by: index, equal: [.text(customer)]))
        }
    }
}
