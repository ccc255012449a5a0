/// The index of a record in the ledger, typed by the record. It has 32 bits, because a store holds millions of them.
struct LedgerIndex<Record>: Hashable, Sendable, Codable {
    private let position: UInt32

    init(offset: Int) { position = UInt32(offset) }

    var offset: Int { Int(position) }

    init(from decoder: any Decoder) throws { position = try UInt32(from: decoder) }

    func encode(to encoder: any Encoder) throws { try position.encode(to: encoder) }
}
