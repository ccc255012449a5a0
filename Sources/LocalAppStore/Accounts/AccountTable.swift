/// The accounts of a store, with an index by account identifier.
struct AccountTable: Sendable {
    var records = RecordList<Account>()
    private(set) var positions: [String: LedgerIndex<Account>] = [:]

    /// Reserves space for more accounts.
    mutating func reserve(_ count: Int) { positions.reserveCapacity(positions.count + count) }

    mutating func append(_ account: Account) {
        positions[account.accountId] = account.index
        records.append(account)
    }
}

extension AccountTable: Codable {
    /// The index is rebuilt from the records.
    private enum CodingKeys: String, CodingKey { case records }

    init(from decoder: any Decoder) throws {
        records = try decoder.container(keyedBy: CodingKeys.self).decode(RecordList<Account>.self, forKey: .records)
        positions.reserveCapacity(records.count)
        for account in records { positions[account.accountId] = account.index }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(records, forKey: .records)
    }
}
