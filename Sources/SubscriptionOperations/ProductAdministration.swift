import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// A product that is listed or has a known purchase.
public struct KnownProduct: Hashable, Sendable {
    /// The product.
    public var id: ProductID
    /// What kind of product it is.
    public var kind: ProductKind
    /// The subscription's group.
    public var groupID: SubscriptionGroupID?
    /// The display name.
    public var name: String?
    /// Whether it is in the developer's list.
    public var isListed: Bool
    /// Whether a verified purchase of it is known.
    public var isSold: Bool
}

/// Manages the optional list of an app's products and finds sold products that are not in it.
public struct ProductAdministration: Sendable {
    private let database: any SubscriptionDatabase
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, time: any TimeSource) {
        self.database = database
        self.time = time
    }

    /// Every product that is listed or was sold, by identifier.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func products(of app: AppID) async throws(OperationError) -> [KnownProduct] {
        do {
            return try await database.read { storage throws(StorageError) in try storage.knownProducts(of: app) }
        } catch {
            throw OperationError(error)
        }
    }

    /// Replaces the list. The list does not affect the intake: purchases of other products are stored and shown too.
    /// Repeating it changes nothing.
    ///
    /// - Parameters:
    ///   - products: The products, with unique identifiers. An empty array removes the list.
    ///   - app: The app of the caller's key.
    ///   - who: The operator.
    /// - Returns: The new result of ``products(of:)``.
    /// - Throws: ``OperationError`` with storage's codes.
    public func replace(
        with products: [ListedProduct],
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> [KnownProduct] {
        let now = time.now()
        do {
            return try await database.write { storage throws(StorageError) in
                let old = try storage.listedProducts(of: app)
                let new = products.sorted { $0.id < $1.id }
                if !old.elementsEqual(new, by: { $0.isSame(as: $1) }) {
                    try storage.replaceListedProducts(new, of: app)
                    try storage.audit(
                        .productsReplaced,
                        .products,
                        by: who,
                        app: app,
                        at: now,
                        before: AuditedValue(listed: old),
                        after: AuditedValue(listed: new)
                    )
                }
                return try storage.knownProducts(of: app)
            }
        } catch {
            throw OperationError(error)
        }
    }
}

extension ListedProduct {
    /// Whether both are stored alike. Names are compared as bytes: two Unicode forms of a text are two names.
    fileprivate func isSame(as other: ListedProduct) -> Bool {
        self == other && (name ?? "").utf8.elementsEqual((other.name ?? "").utf8)
    }
}

extension AuditedValue {
    /// Counts, and the first identifiers: a list may have thousands.
    fileprivate init(listed products: [ListedProduct]) {
        let shown = products.prefix(50).map { JSONValue.string($0.id.rawValue) }
        self.init(["count": .integer(Int64(products.count)), "product_ids": .array(Array(shown))])
    }
}

extension StorageReading {
    /// Every product that is listed or was sold, by identifier.
    ///
    /// - Throws: ``StorageError``.
    package func knownProducts(of app: AppID) throws(StorageError) -> [KnownProduct] {
        var known: [ProductID: KnownProduct] = [:]
        for product in try soldProducts(of: app) {
            known[product.id] = KnownProduct(
                id: product.id,
                kind: product.kind,
                groupID: product.groupID,
                name: nil,
                isListed: false,
                isSold: true
            )
        }
        for product in try listedProducts(of: app) {
            let sold = known[product.id]
            known[product.id] = KnownProduct(
                id: product.id,
                kind: product.kind,
                groupID: product.groupID ?? sold?.groupID,
                name: product.name,
                isListed: true,
                isSold: sold != nil
            )
        }
        return known.values.sorted { $0.id < $1.id }
    }

    /// The sold products that are not in the developer's list; empty if there is no list.
    ///
    /// - Throws: ``StorageError``.
    package func unlistedProducts(of app: AppID) throws(StorageError) -> Set<ProductID> {
        let listed = try listedProducts(of: app)
        guard !listed.isEmpty else { return [] }
        return try Set(soldProducts(of: app).map(\.id)).subtracting(listed.map(\.id))
    }
}
