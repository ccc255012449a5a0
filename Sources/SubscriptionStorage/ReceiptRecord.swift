public import SubscriptionCore

/// A receipt that an app sent for a customer: a signed input, kept with the customer and erased with the customer.
///
/// It is no evidence of a purchase's state, which may have changed since it was signed. It is kept because it identified
/// the customer's purchases.
public struct ReceiptRecord: Hashable, Sendable {
    /// The key under which a second copy is recognised: `receipt:<digest of the text>`.
    public var id: EvidenceID
    /// The customer it was sent for, by the identifier that the app used.
    public var customerID: CustomerID
    /// When the server took it.
    public var receivedAt: Timestamp
    /// The receipt, in the compressed form that `SubscriptionOperations` gives it.
    public var content: [UInt8]

    /// Makes a record.
    public init(id: EvidenceID, customerID: CustomerID, receivedAt: Timestamp, content: [UInt8]) {
        self.id = id
        self.customerID = customerID
        self.receivedAt = receivedAt
        self.content = content
    }
}
