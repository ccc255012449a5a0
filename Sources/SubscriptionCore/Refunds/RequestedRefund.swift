/// A customer's request for the money of one transaction, and the store's refusal of it.
///
/// It is a join of the store's announcements: the newest request and the newest refusal count, in any order of arrival.
public struct RequestedRefund: Hashable, Sendable {
    /// The transaction.
    public var transactionID: TransactionID
    /// The purchase that it belongs to.
    public var purchaseID: OriginalTransactionID
    /// When the store signed its question about the request; nil if it asked nothing.
    public var requestedAt: Timestamp?
    /// The customer's reason, such as `unintended_purchase`.
    public var reason: String?
    /// When the store signed its refusal; nil if it did not refuse.
    public var declinedAt: Timestamp?

    /// Makes a request.
    public init(
        transactionID: TransactionID,
        purchaseID: OriginalTransactionID,
        requestedAt: Timestamp? = nil,
        reason: String? = nil,
        declinedAt: Timestamp? = nil
    ) {
        self.transactionID = transactionID
        self.purchaseID = purchaseID
        self.requestedAt = requestedAt
        self.reason = reason
        self.declinedAt = declinedAt
    }

    /// The request, or the refusal, that an event reports; nil if it reports something else.
    public init?(_ event: SubscriptionEvent) {
        guard let transaction = event.transactionID, let purchase = event.purchaseID else { return nil }
        self.init(transactionID: transaction, purchaseID: purchase)
        switch event.kind {
        case .refundRequested, .purchaseRefundRequested:
            requestedAt = event.occurredAt
            reason = event.details?["reason"]
        case .refundDeclined, .purchaseRefundDeclined:
            declinedAt = event.occurredAt
        default: return nil
        }
    }

    /// Adds what another announcement says about the same transaction.
    public mutating func join(_ other: RequestedRefund) {
        guard other.transactionID == transactionID, other.purchaseID == purchaseID else { return }
        if let theirs = other.requestedAt {
            let isNewer = requestedAt.map { ($0, reason ?? "") < (theirs, other.reason ?? "") } ?? true
            if isNewer {
                requestedAt = theirs
                reason = other.reason
            }
        }
        declinedAt = [declinedAt, other.declinedAt].compactMap(\.self).max()
    }
}
