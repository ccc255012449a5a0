import AppStoreModel

/// A version 1 notification with final content, except for the receipt, which is created when it is sent.
struct Version1Announcement: Sendable, Codable {
    let account: LedgerIndex<Account>
    let originalTransactionId: String
    let body: JSONValue
}

/// The version 1 state of a subscription.
struct Version1Memory: Hashable, Sendable, Codable {
    /// The renewal status in the last notification.
    var isAutoRenewOn: Bool
    /// When that changed last, milliseconds since 1970; absent if it never did.
    var changeDate: Int64?
}
