/// The identifiers of records, counted from their places in the ledger, so that finding a record needs no table.
enum StoreIdentifier {
    /// 16 digits, as in Apple's sandbox.
    private static let transactions: Int64 = 2_000_000_000_000_001
    /// 16 digits.
    private static let orderLines: Int64 = 3_000_000_000_000_001
    /// 18 digits that begin with 70.
    private static let appTransactions: Int64 = 700_000_000_000_000_001
    /// The member of the group that the sandbox shows to customers in none.
    static let placeholderAppTransaction = "700000000000000000"

    static func of(_ index: LedgerIndex<Transaction>) -> String { String(transactions + Int64(index.offset)) }

    static func orderLine(of index: LedgerIndex<Transaction>) -> String { String(orderLines + Int64(index.offset)) }

    static func of(_ index: LedgerIndex<Account>) -> String { String(appTransactions + Int64(index.offset)) }

    /// The place that a transaction identifier counts to, among so many; `nil` when it is none of theirs.
    static func position(ofTransaction identifier: String, among count: Int) -> Int? {
        position(of: identifier, from: transactions, among: count)
    }

    /// The place that an app transaction identifier counts to, among so many; `nil` when it is none of theirs.
    static func position(ofAppTransaction identifier: String, among count: Int) -> Int? {
        position(of: identifier, from: appTransactions, among: count)
    }

    private static func position(of identifier: String, from first: Int64, among count: Int) -> Int? {
        guard let number = Int64(identifier), number >= first, number - first < Int64(count),
            String(number) == identifier
        else { return nil }
        return Int(number - first)
    }

    /// Apple's number of a product, ten digits that follow from its identifier.
    static func adamId(ofProduct productId: String) -> Int64 {
        // FNV-1a: stable over runs, which Swift's own hash is not.
        let hash = productId.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return 6_000_000_000 + Int64(hash % 1_000_000_000)
    }
}
