/// The codes that the developer made, and who redeemed which offer.
struct OfferCodeLedger: Sendable, Codable {
    /// The most codes and redemptions that an app may give out in a quarter.
    ///
    /// - Source: App Store Connect Help, Set up offer codes.
    static let quarterMax = 1_000_000

    /// An offer: its reference name is unique within its product only.
    struct Offer: Hashable, Sendable, Codable {
        let productId: String
        let name: String
    }

    /// A code as a customer enters it: the place of its batch, and its number where it is a single one.
    struct Position: Hashable, Sendable {
        let batch: Int
        let number: Int?
    }

    /// One redemption, as reports of past days need it.
    struct Redemption: Hashable, Sendable, Codable {
        let date: Int64
        let offer: Offer
        /// Absent where the purchase named the offer only.
        let code: String?
        /// Where the customer was at that time, in two letters.
        let territory: String
        let isOfSubscription: Bool
    }

    /// Every redemption, oldest first.
    private(set) var redemptions = RecordList<Redemption>()
    /// Oldest first.
    private(set) var batches: [OfferCodeBatch] = []
    /// The numbers of the single codes that were redeemed.
    private(set) var redeemedNumbers: Set<Int> = []
    /// What each customer has redeemed, by code or by name.
    private var redeemedOffers: [LedgerIndex<Account>: Set<Offer>] = [:]
    /// How many single codes there are.
    private(set) var singleCodes = 0

    /// The identifier that the next batch gets.
    var nextId: String { "offer-codes-\(batches.count + 1)" }

    mutating func append(_ batch: OfferCodeBatch) {
        singleCodes += batch.numbers.count
        batches.append(batch)
    }

    mutating func deactivate(at position: Int) { batches[position].isActive = false }

    /// Finds a code, written in capitals.
    func position(of code: String, seed: UInt64) -> Position? {
        if let batch = batches.firstIndex(where: { $0.customCode == code }) {
            return Position(batch: batch, number: nil)
        }
        guard let number = SingleCode.number(of: code, seed: seed),
            let batch = batches.firstIndex(where: { $0.numbers.contains(number) })
        else { return nil }
        return Position(batch: batch, number: number)
    }

    func hasRedeemed(_ offer: Offer, _ account: LedgerIndex<Account>) -> Bool {
        redeemedOffers[account]?.contains(offer) ?? false
    }

    /// Notes that a customer has redeemed an offer.
    mutating func note(_ redemption: Redemption, of account: LedgerIndex<Account>) {
        redeemedOffers[account, default: []].insert(redemption.offer)
        redemptions.append(redemption)
    }

    /// Notes that a code was redeemed.
    mutating func note(_ redemption: OfferCodeBatch.Redemption, of position: Position) {
        batches[position.batch].redemptions.append(redemption)
        if let number = position.number { redeemedNumbers.insert(number) }
    }
}
