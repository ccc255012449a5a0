import AppStoreModel

/// A version 1 notification whose content is fixed, but for the receipt, which is made when it is sent.
struct Version1Announcement: Sendable, Codable {
    let account: LedgerIndex<Account>
    let originalTransactionId: String
    let body: JSONValue
}

/// What version 1 notifications remember of a subscription.
struct Version1Memory: Hashable, Sendable, Codable {
    /// Whether it was to renew when it was last told of.
    var isAutoRenewOn: Bool
    /// When that changed last, milliseconds since 1970; absent while it never did.
    var changeDate: Int64?
}
