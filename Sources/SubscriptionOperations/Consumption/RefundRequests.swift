public import SubscriptionCore
public import SubscriptionStorage

/// Reads the refund requests about which Apple asked.
public struct RefundRequests: Sendable {
    /// The number of requests about a purchase that are read.
    static let listedMax = 100

    /// Which requests are listed. Without a member that is set, all are.
    public struct Selection: Hashable, Sendable {
        /// Only those about this purchase, by its identifier or that of one of its transactions.
        public var purchase: TransactionID?
        /// Only those about purchases that this customer owns.
        public var owner: CustomerID?

        /// Makes a selection.
        public init(purchase: TransactionID? = nil, owner: CustomerID? = nil) {
            self.purchase = purchase
            self.owner = owner
        }
    }

    private let database: any SubscriptionDatabase

    /// Makes the use case.
    public init(database: any SubscriptionDatabase) {
        self.database = database
    }

    /// A request.
    ///
    /// - Throws: ``OperationError`` `refund_request_unknown`, or storage's codes.
    public func request(_ id: RefundRequestID, app: AppID) async throws(OperationError) -> RefundRequest {
        let found: RefundRequest?
        do {
            found = try await database.read { storage throws(StorageError) in
                try storage.refundRequest(id, of: app)
            }
        } catch {
            throw OperationError(error)
        }
        guard let found else { throw .refundRequestUnknown("id") }
        return found
    }

    /// The requests of an app, newest first.
    ///
    /// - Parameters:
    ///   - selection: Which of them. An unknown purchase or customer has none.
    ///   - id: The last request of the previous page; nil for the first page.
    /// - Throws: ``OperationError`` `refund_request_unknown`, or storage's codes.
    public func requests(
        _ selection: Selection = Selection(),
        app: AppID,
        before id: RefundRequestID?,
        limit: Int
    ) async throws(OperationError) -> [RefundRequest] {
        let found: [RefundRequest]?
        do {
            found = try await database.read { storage throws(StorageError) -> [RefundRequest]? in
                var last: RefundRequest?
                if let id {
                    last = try storage.refundRequest(id, of: app)
                    guard last != nil else { return nil }
                }
                guard let purchases = try storage.purchases(in: selection, app: app) else {
                    return try storage.refundRequests(of: app, before: last, limit: limit)
                }
                let lists = try storage.refundRequests(about: purchases, app: app, before: last, limit: limit)
                let newestFirst = lists.joined().sorted {
                    ($1.requestedAt, $1.id) < ($0.requestedAt, $0.id)
                }
                return Array(newestFirst.prefix(limit))
            }
        } catch {
            throw OperationError(error)
        }
        guard let found else { throw .refundRequestUnknown("after") }
        return found
    }
}

extension StorageReading {
    /// The purchases of a selection; nil if it selects all.
    fileprivate func purchases(
        in selection: RefundRequests.Selection,
        app: AppID
    ) throws(StorageError) -> [OriginalTransactionID]? {
        let named = try selection.purchase.map { id throws(StorageError) in try purchases(named: id, app: app) }
        guard let owner = selection.owner else { return named }
        guard let customer = try customer(named: owner, of: app) else { return [] }
        let own = try ownPurchases(of: customer.id, app: app)
        return named.map { named in own.filter { named.contains($0) } } ?? own
    }
}

extension OperationError {
    fileprivate static func refundRequestUnknown(_ parameter: String) -> OperationError {
        OperationError(
            "refund_request_unknown",
            "There is no refund request with this id in this app and environment. GET /v1/refund_requests lists them.",
            kind: .notFound,
            parameter: parameter
        )
    }
}
