/// The place of a record in the ledger, typed by what lies there.
struct LedgerIndex<Record>: Hashable, Sendable {
    let offset: Int
}
