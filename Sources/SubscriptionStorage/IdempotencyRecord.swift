public import SubscriptionCore

/// A request with a key of its caller's choice, so that a second copy is answered like the first and done once.
public struct IdempotencyRecord: Hashable, Sendable {
    /// What the caller was answered.
    public struct Answer: Hashable, Sendable {
        /// The HTTP status.
        public var status: Int
        /// The body.
        public var body: [UInt8]

        /// Makes an answer.
        public init(status: Int, body: [UInt8]) {
            self.status = status
            self.body = body
        }
    }

    /// The caller's key.
    public var key: String
    /// SHA-256 of the request.
    public var requestDigest: [UInt8]
    /// When the request was first begun: with the key it names the request for good.
    public var startedAt: Timestamp
    /// When the copy began that is at work, or was when its process ended; nil where none is.
    public var leasedAt: Timestamp?
    /// The answer; nil until the request was done.
    public var answer: Answer?
    /// Whom the answer names, two at most: it is forgotten with any of them.
    public var customers: [CustomerID]

    /// How many customers an answer names at most.
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

    /// How the rows are stored.
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
    /// - Throws: ``StorageError`` with `storage_corrupt` where a value is not what was written.
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
    /// What is known of a request by its caller's key.
    ///
    /// - Throws: ``StorageError``.
    public func idempotencyRecord(_ key: String, of app: AppID) throws(StorageError) -> IdempotencyRecord? {
        try row(of: IdempotencyRecord.self, key: [.string(key)], in: app)
    }
}

extension TableWriting {
    /// Adds or replaces what is known of a request.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ record: IdempotencyRecord, of app: AppID) throws(StorageError) { try save(record, in: app) }

    /// Forgets a request.
    ///
    /// - Throws: ``StorageError``.
    public func removeIdempotencyRecord(_ key: String, of app: AppID) throws(StorageError) {
        try remove(IdempotencyRecord.self, TableLookup(of: app, equal: [.string(key)]))
    }

    /// Forgets requests that were begun before an instant, oldest first, at most `limit`.
    ///
    /// - Throws: ``StorageError``.
    public func removeIdempotencyRecords(before instant: Timestamp, limit: Int, of app: AppID) throws(StorageError) {
        let last = ColumnValue.time(instant.adding(milliseconds: -1))
        let lookup = TableLookup(of: app, by: IdempotencyRecord.byAge, through: last, limit: limit)
        try remove(IdempotencyRecord.self, lookup)
    }

    /// Forgets the requests whose answers name a customer.
    ///
    /// - Throws: ``StorageError``.
    public func removeIdempotencyRecords(about customer: CustomerID, of app: AppID) throws(StorageError) {
        for index in [IdempotencyRecord.byCustomer, IdempotencyRecord.byOtherCustomer] {
            try remove(IdempotencyRecord.self, TableLookup(of: app, by: index, equal: [.text(customer)]))
        }
    }
}
