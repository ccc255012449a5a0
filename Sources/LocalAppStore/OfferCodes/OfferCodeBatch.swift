/// A batch of codes of one offer: many single-use codes, or one custom code for many customers.
public struct OfferCodeBatch: Hashable, Sendable, Codable {
    /// The two kinds of codes.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// Created by the store; each can be redeemed once.
        case single
        /// A code of the developer's choice with a redemption limit.
        case custom
    }

    /// One redemption of one code.
    public struct Redemption: Hashable, Sendable, Codable {
        /// The code.
        public let code: String
        /// The account.
        public let accountId: String
        /// The transaction of the redemption; the current one if the offer starts at a renewal.
        public let transactionId: String
        /// The time, milliseconds since 1970.
        public let date: Int64
    }

    /// Its identifier in this store.
    public let offerCodesId: String

    /// The product that the offer belongs to.
    public let productId: String

    /// The offer's reference name.
    public let offer: String

    /// The kind of codes.
    public let kind: Kind

    /// The custom code, in capitals; absent for single-use codes.
    public let customCode: String?

    /// The total number of redemptions; for single-use codes the number of codes.
    public let redemptionLimit: Int

    /// When they were created, milliseconds since 1970.
    public let createdDate: Int64

    /// When they expire, milliseconds since 1970; absent without an end.
    public let expirationDate: Int64?

    /// Whether the codes are active.
    public internal(set) var isActive = true

    /// The redemptions, oldest first.
    public internal(set) var redemptions: [Redemption] = []

    /// The number of the first single-use code, counted over the whole store.
    let firstNumber: Int

    /// The numbers of its single-use codes.
    var numbers: Range<Int> { firstNumber..<(kind == .single ? firstNumber + redemptionLimit : firstNumber) }
}
