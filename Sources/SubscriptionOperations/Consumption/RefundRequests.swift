public import SubscriptionCore
public import SubscriptionStorage

/// Reads the refund requests about which Apple asked.
public struct RefundRequests: Sendable {
    /// The number of requests about a purchase that are read.
    static let listedMax = 100

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
    /// - Parameter id: The last request of the previous page; nil for the first page.
    /// - Throws: ``OperationError`` `refund_request_unknown`, or storage's codes.
    public func requests(
        app: AppID,
        before id: RefundRequestID?,
        limit: Int
    ) async throws(OperationError) -> [RefundRequest] {
        let found: [RefundRequest]?
        do {
            found = try await database.read { storage throws(StorageError) -> [RefundRequest]? in
                guard let id else { return try storage.refundRequests(of: app, before: nil, limit: limit) }
                guard let last = try storage.refundRequest(id, of: app) else { return nil }
                return try storage.refundRequests(of: app, before: last, limit: limit)
            }
        } catch {
            throw OperationError(error)
        }
        guard let found else { throw .refundRequestUnknown("after") }
        return found
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
