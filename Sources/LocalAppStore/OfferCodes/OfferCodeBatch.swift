/// Codes of one offer that were made together: many of which each counts once, or one that many customers share.
public struct OfferCodeBatch: Hashable, Sendable, Codable {
    /// The two kinds of codes.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// Made by the store; each can be redeemed once.
        case single
        /// A word of the developer's choice; it can be redeemed by as many customers as the developer allows.
        case custom
    }

    /// One redemption of one code.
    public struct Redemption: Hashable, Sendable, Codable {
        /// The code.
        public let code: String
        /// Who redeemed it.
        public let accountId: String
        /// The transaction that the redemption brought; the running one where the offer waits for a renewal.
        public let transactionId: String
        /// When, milliseconds since 1970.
        public let date: Int64
    }

    /// Its identifier in this store.
    public let offerCodesId: String

    /// The product that the offer belongs to.
    public let productId: String

    /// The offer's reference name.
    public let offer: String

    /// Which kind the codes are of.
    public let kind: Kind

    /// The developer's word, in capitals; absent for single codes.
    public let customCode: String?

    /// How often the codes can be redeemed in all; for single ones that is how many there are.
    public let redemptionLimit: Int

    /// When they were made, milliseconds since 1970.
    public let createdDate: Int64

    /// The first instant at which they are no longer good, milliseconds since 1970; absent without an end.
    public let expirationDate: Int64?

    /// Whether the developer lets customers redeem them.
    public internal(set) var isActive = true

    /// What was redeemed, oldest first.
    public internal(set) var redemptions: [Redemption] = []

    /// The number of the first single code, counted over the whole store.
    let firstNumber: Int

    /// The numbers of its single codes.
    var numbers: Range<Int> { firstNumber..<(kind == .single ? firstNumber + redemptionLimit : firstNumber) }
}
