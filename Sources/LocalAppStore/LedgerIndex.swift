/// The place of a record in the ledger, typed by what lies there; half a word, since a store holds millions of them.
struct LedgerIndex<Record>: Hashable, Sendable {
    private let place: UInt32

    init(offset: Int) { place = UInt32(offset) }

    var offset: Int { Int(place) }
}
