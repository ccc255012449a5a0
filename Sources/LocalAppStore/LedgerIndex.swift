/// The place of a record in the ledger, typed by what lies there; half a word, since a store holds millions of them.
struct LedgerIndex<Record>: Hashable, Sendable, Codable {
    private let place: UInt32

    init(offset: Int) { place = UInt32(offset) }

    var offset: Int { Int(place) }

    init(from decoder: any Decoder) throws { place = try UInt32(from: decoder) }

    func encode(to encoder: any Encoder) throws { try place.encode(to: encoder) }
}
