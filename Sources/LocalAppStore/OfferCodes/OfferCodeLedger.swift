/// The developer's offer codes and their redemptions.
struct OfferCodeLedger: Sendable, Codable {
    /// The maximum number of codes and redemptions of an app per quarter.
    ///
    /// - Source: App Store Connect Help, Set up offer codes.
    static let quarterMax = 1_000_000

    /// An offer; its reference name is unique only within its product.
    struct Offer: Hashable, Sendable, Codable {
        let productId: String
        let name: String
    }

    /// A code as entered by a customer: the position of its batch, and its number if it is a single-use code.
    struct Position: Hashable, Sendable {
        let batch: Int
        let number: Int?
    }

    /// One redemption, for reports of past days.
    struct Redemption: Hashable, Sendable, Codable {
        let date: Int64
        let offer: Offer
        /// Absent if the purchase named only the offer.
        let code: String?
        /// The country of the customer at that time, in two letters.
        let territory: String
        let isOfSubscription: Bool
    }

    /// All redemptions, oldest first.
    private(set) var redemptions = RecordList<Redemption>()
    /// Oldest first.
    private(set) var batches: [OfferCodeBatch] = []
    /// The numbers of the redeemed single-use codes.
    private(set) var redeemedNumbers: Set<Int> = []
    /// The offers that each customer has redeemed, by code or by name.
    private var redeemedOffers: [LedgerIndex<Account>: Set<Offer>] = [:]
    /// The number of single-use codes.
    private(set) var singleCodes = 0

    /// The identifier of the next batch.
    var nextId: String { "offer-codes-\(batches.count + 1)" }

    mutating func append(_ batch: OfferCodeBatch) {
        singleCodes += batch.numbers.count
        batches.append(batch)
    }

    mutating func deactivate(at position: Int) { batches[position].isActive = false }

    /// Finds a code in capitals.
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

    /// Records that a customer has redeemed an offer.
    mutating func note(_ redemption: Redemption, of account: LedgerIndex<Account>) {
        redeemedOffers[account, default: []].insert(redemption.offer)
        redemptions.append(redemption)
    }

    /// Records that a code was redeemed.
    mutating func note(_ redemption: OfferCodeBatch.Redemption, of position: Position) {
        batches[position.batch].redemptions.append(redemption)
        if let number = position.number { redeemedNumbers.insert(number) }
    }
}
