/// A refund of one charge to the customer who paid it. It stands until the store reverses it.
///
/// A charge is not refunded if sharing ends, or if another product replaces its period: the store returns the unused
/// part of a replaced period by itself.
public struct Refund: Hashable, Sendable {
    /// The transaction; the first one if the charge has several copies.
    public var transactionID: TransactionID
    /// The purchase that it belongs to.
    public var purchaseID: OriginalTransactionID
    /// The product.
    public var productID: ProductID
    /// The storefront's ISO 3166-1 alpha-3 country.
    public var storefront: String?
    /// When the refunded period or purchase began.
    public var purchasedAt: Timestamp
    /// What the customer had paid in total.
    public var price: Money?
    /// The revocation, as the store stated it last.
    public var revocation: Revocation
    /// When the store signed this statement.
    public var statedAt: Timestamp
    /// When the store first signed that the charge is not refunded any more; nil while the refund stands.
    public var reversedAt: Timestamp?

    /// Makes a refund that stands.
    public init(
        transactionID: TransactionID,
        purchaseID: OriginalTransactionID,
        productID: ProductID,
        purchasedAt: Timestamp,
        revocation: Revocation,
        statedAt: Timestamp
    ) {
        self.transactionID = transactionID
        self.purchaseID = purchaseID
        self.productID = productID
        self.purchasedAt = purchasedAt
        self.revocation = revocation
        self.statedAt = statedAt
    }

    /// When the money was returned.
    public var refundedAt: Timestamp { revocation.at }

    /// The store's reason: `other`, `app_issue`, or the number of one that this version does not know; nil if it stated
    /// none.
    public var reasonName: String? {
        switch revocation.reason {
        case 0?: "other"
        case 1?: "app_issue"
        case let number?: "reason_\(number)"
        case nil: nil
        }
    }

    /// What was returned: the percentage of the price that the store states, or all of it.
    public var amount: Money? {
        price.map { Money(milliunits: revocation.milliunits(of: $0.milliunits), currency: $0.currency) }
    }
}

extension Refund {
    /// The refund in a statement about a transaction; nil if the statement says that it is not refunded.
    ///
    /// - Parameter id: The transaction of the charge.
    init?(_ statement: TransactionFact, of id: TransactionID) {
        guard statement.isRefunded, let revocation = statement.revocation else { return nil }
        self.init(
            transactionID: id,
            purchaseID: statement.originalID,
            productID: statement.productID,
            purchasedAt: statement.purchasedAt,
            revocation: revocation,
            statedAt: statement.signedAt
        )
        storefront = statement.storefront
        price = statement.price
    }

    /// The refund of a charge by all statements about it, in any order; nil if none says that it is refunded.
    ///
    /// The newest statement with a refund counts. The oldest statement after it reverses it.
    init?(of id: TransactionID, by statements: [TransactionFact]) {
        let refunded = statements.filter(\.isRefunded)
        guard let last = refunded.max(by: { $1.supersedes($0) }) else { return nil }
        self.init(last, of: id)
        reversedAt = statements.lazy.filter { !$0.isRefunded && $0.supersedes(last) }.map(\.signedAt).min()
    }
}

extension TransactionFact {
    /// Whether the customer who paid got money back for it.
    ///
    /// The store may also state a percentage for a period that another product replaced.
    ///
    /// - Source: `revocationType` of an upgraded transaction is not documented (unverified).
    package var isRefunded: Bool {
        guard let revocation, ownership == .purchased else { return false }
        switch revocation.kind {
        case .refund: return true
        case .proratedRefund: return !isUpgraded
        case .sharingEnded: return false
        }
    }
}
