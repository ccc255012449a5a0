public import SubscriptionCore

/// A product with a verified transaction.
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

/// A product in the developer's list.
public struct ListedProduct: Hashable, Sendable {
    /// The product.
    public var id: ProductID
    /// What kind of product it is; ``ProductKind/unknown`` is not listed.
    public var kind: ProductKind
    /// The subscription's group.
    public var groupID: SubscriptionGroupID?
    /// The display name.
    public var name: String?

    /// Makes a record.
    public init(id: ProductID, kind: ProductKind, groupID: SubscriptionGroupID? = nil, name: String? = nil) {
        self.id = id
        self.kind = kind
        self.groupID = groupID
        self.name = name
    }
}

extension SoldProduct: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "sold_products",
        columns: [.text("product_id"), .text("kind"), .text("group_id", optional: true)],
        key: ["product_id"],
        lock: .app,
        step: 4
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.text(id), .text(kind), .text(groupID)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(id: try row.identifier(0), kind: try row.choice(1), groupID: try row.optionalIdentifier(2))
    }
}

extension ListedProduct: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "listed_products",
        columns: [
            .text("product_id"), .text("kind"), .text("group_id", optional: true), .text("name", optional: true),
        ],
        key: ["product_id"],
        lock: .app,
        step: 4
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.text(id), .text(kind), .text(groupID), .text(name)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(0),
            kind: try row.choice(1),
            groupID: try row.optionalIdentifier(2),
            name: try row.optionalText(3)
        )
    }
}

extension TableReading {
    /// The products with a verified transaction, by identifier.
    ///
    /// - Throws: ``StorageError``.
    public func soldProducts(of app: AppID) throws(StorageError) -> [SoldProduct] {
        try rows(of: SoldProduct.self, TableLookup(of: app))
    }

    /// The products in the developer's list, by identifier.
    ///
    /// - Throws: ``StorageError``.
    public func listedProducts(of app: AppID) throws(StorageError) -> [ListedProduct] {
        try rows(of: ListedProduct.self, TableLookup(of: app))
    }
}

extension TableWriting {
    /// Records that a product was sold; an existing record is not changed.
    ///
    /// - Throws: ``StorageError``.
    public func noteSale(of product: SoldProduct, app: AppID) throws(StorageError) {
        try insert(once: product, in: app)
    }

    /// Replaces the developer's list of products, which have unique identifiers.
    ///
    /// - Throws: ``StorageError``.
    public func replaceListedProducts(_ products: [ListedProduct], of app: AppID) throws(StorageError) {
        try remove(ListedProduct.self, TableLookup(of: app))
        for product in products { try save(product, in: app) }
    }
}
