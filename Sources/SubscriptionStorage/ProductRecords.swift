public import SubscriptionCore

/// A product of which a verified transaction is known.
public struct SoldProduct: Hashable, Sendable {
    /// The product.
    public var id: ProductID
    /// What kind of product it is.
    public var kind: ProductKind
    /// The subscription's group.
    public var groupID: SubscriptionGroupID?

    /// Makes a record.
    public init(id: ProductID, kind: ProductKind, groupID: SubscriptionGroupID?) {
        self.id = id
        self.kind = kind
        self.groupID = groupID
    }

    /// The product of a transaction.
    public init(_ fact: TransactionFact) {
        self.init(id: fact.productID, kind: fact.kind, groupID: fact.groupID)
    }
}

/// A product that the developer says the app sells.
public struct ListedProduct: Hashable, Sendable {
    /// The product.
    public var id: ProductID
    /// What kind of product it is; ``ProductKind/unknown`` is not listed.
    public var kind: ProductKind
    /// The subscription's group.
    public var groupID: SubscriptionGroupID?
    /// How people call it.
    public var name: String?

    /// Makes a record.
    public init(id: ProductID, kind: ProductKind, groupID: SubscriptionGroupID? = nil, name: String? = nil) {
        self.id = id
        self.kind = kind
        self.groupID = groupID
        self.name = name
    }
}
