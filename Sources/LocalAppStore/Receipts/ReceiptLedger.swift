/// Data for receipts and version 1 notifications beyond the ledger's records; stored by index, because it is rare.
struct ReceiptLedger: Sendable, Codable {
    /// Subscriptions that were cancelled in their grace period, with their newest period at that time. While it is the
    /// newest, nothing is pending for them.
    var withdrawnRenewals: [LedgerIndex<Subscription>: LedgerIndex<Transaction>] = [:]
    /// The subscriptions with version 1 notifications.
    var version1: [LedgerIndex<Subscription>: Version1Memory] = [:]
    /// The current injected failure of `/verifyReceipt`.
    var fault: ReceiptFault?
}
