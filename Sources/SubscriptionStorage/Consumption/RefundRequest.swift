public import SubscriptionCore

/// A customer's request for money, about which Apple asks for consumption information.
///
/// - Source: App Store Server Notifications, CONSUMPTION_REQUEST.
public struct RefundRequest: Hashable, Sendable {
    /// How far the answer is.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Nothing was sent yet.
        case waiting
        /// Apple has the answer.
        case answered
        /// Nothing is sent, on purpose.
        case withheld
        /// Apple refused the answer.
        case refused
        /// The time for an answer is over.
        case expired
    }

    /// What Apple decided.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// The customer got the money, or a part of it.
        case refunded
        /// The customer did not.
        case declined
    }

    /// The time for an answer, from the request: 12 hours.
    ///
    /// - Units: milliseconds.
    public static let answerWindow: Int64 = 12 * 3_600_000

    /// Its identifier: that of the notification.
    public var id: RefundRequestID
    /// The purchase.
    public var purchaseID: OriginalTransactionID
    /// The transaction whose money the customer wants.
    public var transactionID: TransactionID
    /// The product.
    public var productID: ProductID
    /// The customer's reason; nil if Apple did not say.
    public var reason: String?
    /// When Apple asked.
    public var requestedAt: Timestamp
    /// How far the answer is.
    public var state = State.waiting
    /// When the server tries next; nil if it does not.
    public var checkAt: Timestamp?
    /// How often the answer could not be sent.
    public var attempts = 0
    /// What the server knew when it decided; nil before.
    public var facts: ConsumptionFacts?
    /// The answer of the policy, or of the developer's backend, as Apple gets it; nil before.
    public var answer: ConsumptionPolicy.Answer?
    /// The number of the policy's rule; nil if no rule fitted, or if the backend answered.
    public var rule: Int?
    /// Whether the developer's backend gave the answer.
    public var isAnsweredByHook = false
    /// The version of the call that was used; nil before.
    public var version: Int?
    /// When Apple got the answer, or when it became certain that it gets none; nil before.
    public var settledAt: Timestamp?
    /// Why nothing was sent, or why the last try failed.
    public var failure: StoredFailure?
    /// What Apple decided; nil before.
    public var outcome: Outcome?
    /// When Apple decided; nil before.
    public var decidedAt: Timestamp?

    /// The end of the time for an answer.
    public var dueBy: Timestamp { requestedAt.adding(milliseconds: Self.answerWindow) }

    /// Makes a request that waits for an answer.
    public init(
        id: RefundRequestID,
        purchaseID: OriginalTransactionID,
        transactionID: TransactionID,
        productID: ProductID,
        reason: String?,
        requestedAt: Timestamp
    ) {
        self.id = id
        self.purchaseID = purchaseID
        self.transactionID = transactionID
        self.productID = productID
        self.reason = reason
        self.requestedAt = requestedAt
    }
}

/// The identifier of a refund request.
public struct RefundRequestID: TextIdentifier {
    /// The text.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension TableReading {
    /// A refund request; nil if there is none.
    ///
    /// - Throws: ``StorageError``.
    public func refundRequest(_ id: RefundRequestID, of app: AppID) throws(StorageError) -> RefundRequest? {
        try row(of: RefundRequest.self, key: [.text(id)], in: app)
    }

    /// The refund requests about a purchase, newest first.
    ///
    /// - Throws: ``StorageError``.
    public func refundRequests(
        about purchase: OriginalTransactionID,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [RefundRequest] {
        let lookup = TableLookup(
            of: app,
            by: RefundRequest.byPurchase,
            equal: [.text(purchase)],
            order: .descending,
            limit: limit
        )
        return try rows(of: RefundRequest.self, lookup)
    }

    /// The refund requests about several purchases, newest first, in the order of the purchases.
    ///
    /// - Parameters:
    ///   - request: Only those that come after this one in a list of all; nil for the newest.
    ///   - limit: The maximum number of requests about each purchase.
    /// - Throws: ``StorageError``.
    public func refundRequests(
        about purchases: [OriginalTransactionID],
        app: AppID,
        before request: RefundRequest? = nil,
        limit: Int
    ) throws(StorageError) -> [[RefundRequest]] {
        let lookups = purchases.map { purchase in
            TableLookup(
                of: app,
                by: RefundRequest.byPurchase,
                equal: [.text(purchase)],
                after: request.map { [.time($0.requestedAt), .text($0.id)] } ?? [],
                order: .descending,
                limit: limit
            )
        }
        return try rows(of: RefundRequest.self, lookups)
    }

    /// The refund requests whose answer is to be tried at or before a time, oldest first.
    ///
    /// - Throws: ``StorageError``.
    public func refundRequests(
        toAnswerUntil now: Timestamp,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [RefundRequest] {
        let lookup = TableLookup(of: app, by: RefundRequest.byCheck, through: .time(now), limit: limit)
        return try rows(of: RefundRequest.self, lookup)
    }

    /// The refund requests of an app, newest first.
    ///
    /// - Parameter request: The last one of the previous page; nil for the first page.
    /// - Throws: ``StorageError``.
    public func refundRequests(
        of app: AppID,
        before request: RefundRequest?,
        limit: Int
    ) throws(StorageError) -> [RefundRequest] {
        let lookup = TableLookup(
            of: app,
            by: RefundRequest.byTime,
            after: request.map { [.time($0.requestedAt), .text($0.id)] } ?? [],
            order: .descending,
            limit: limit
        )
        return try rows(of: RefundRequest.self, lookup)
    }
}

extension TableWriting {
    /// Adds or replaces a refund request.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ request: RefundRequest, of app: AppID) throws(StorageError) { try save(request, in: app) }
}
