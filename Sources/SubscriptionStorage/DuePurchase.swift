public import SubscriptionCore

/// A purchase whose state changes by time.
public struct DuePurchase: Hashable, Sendable {
    /// The app.
    public var appID: AppID
    /// The purchase.
    public var id: OriginalTransactionID
    /// When its state changes.
    public var dueAt: Timestamp

    /// Makes an entry.
    public init(appID: AppID, id: OriginalTransactionID, dueAt: Timestamp) {
        self.appID = appID
        self.id = id
        self.dueAt = dueAt
    }
}
