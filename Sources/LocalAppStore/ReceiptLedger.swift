/// What receipts and version 1 notifications have to know beyond the ledger's records; rare things, so by place.
struct ReceiptLedger: Sendable, Codable {
    /// Subscriptions that were cancelled in their grace period, with the newest period they had then: nothing is
    /// pending for them while that is the newest.
    var withdrawnRenewals: [LedgerIndex<Subscription>: LedgerIndex<Transaction>] = [:]
    /// The subscriptions that version 1 notifications told of.
    var version1: [LedgerIndex<Subscription>: Version1Memory] = [:]
    /// What `/verifyReceipt` fails with at present.
    var fault: ReceiptFault?
}
