import PerennialPrimitives

/// The identifiers of records, computed from their indexes in the ledger, so that a lookup needs no table.
enum StoreIdentifier {
    /// 16 digits, as in Apple's sandbox.
    private static let transactions: Int64 = 2_000_000_000_000_001
    /// 16 digits.
    private static let orderLines: Int64 = 3_000_000_000_000_001
    /// 18 digits that begin with 70.
    private static let appTransactions: Int64 = 700_000_000_000_000_001
    /// The group member that the sandbox returns for customers in no group.
    static let placeholderAppTransaction = "700000000000000000"

    static func of(_ index: LedgerIndex<Transaction>) -> String { String(transactions + Int64(index.offset)) }

    static func orderLine(of index: LedgerIndex<Transaction>) -> String { String(orderLines + Int64(index.offset)) }

    static func of(_ index: LedgerIndex<Account>) -> String { String(appTransactions + Int64(index.offset)) }

    /// The index of a transaction identifier below a count; `nil` if there is none.
    static func position(ofTransaction identifier: String, among count: Int) -> Int? {
        position(of: identifier, from: transactions, among: count)
    }

    /// The index of an app transaction identifier below a count; `nil` if there is none.
    static func position(ofAppTransaction identifier: String, among count: Int) -> Int? {
        position(of: identifier, from: appTransactions, among: count)
    }

    private static func position(of identifier: String, from first: Int64, among count: Int) -> Int? {
        guard let number = Int64(identifier), number >= first, number - first < Int64(count),
            String(number) == identifier
        else { return nil }
        return Int(number - first)
    }

    /// Apple's number of a product: ten digits computed from its identifier.
    static func adamId(ofProduct productId: String) -> Int64 {
        6_000_000_000 + Int64(FNV1a(of: productId.utf8).value % 1_000_000_000)
    }
}
