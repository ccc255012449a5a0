import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// A product that is listed, or of which a purchase is known, or both.
public struct KnownProduct: Hashable, Sendable {
    /// The product.
    public var id: ProductID
    /// What kind of product it is.
    public var kind: ProductKind
    /// The subscription's group.
    public var groupID: SubscriptionGroupID?
    /// How people call it.
    public var name: String?
    /// Whether the developer's list has it.
    public var isListed: Bool
    /// Whether a verified purchase of it is known.
    public var isSold: Bool
}

/// Keeps the optional list of the products that an app sells, and finds what was sold outside it.
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

    /// Replaces the list. It decides nothing: a purchase outside it is taken in as any other, and can be seen.
    ///
    /// - Parameters:
    ///   - products: The products; no two have one identifier. With none there is no list.
    ///   - app: The app of the caller's key.
    ///   - who: Who replaces it.
    /// - Returns: What ``products(of:)`` gives from now on.
    /// - Throws: ``OperationError`` with storage's codes.
    public func replace(
        with products: [ListedProduct],
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> [KnownProduct] {
        let now = time.now()
        do {
            return try await database.write { storage throws(StorageError) in
                let before = AuditedValue(listed: try storage.listedProducts(of: app))
                try storage.replaceListedProducts(products, of: app)
                let after = AuditedValue(listed: products)
                try storage.audit(
                    .productsReplaced,
                    .products,
                    by: who,
                    app: app,
                    at: now,
                    before: before,
                    after: after
                )
                return try storage.knownProducts(of: app)
            }
        } catch {
            throw OperationError(error)
        }
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

    /// The products that were sold and that the developer's list does not have; none where there is no list.
    ///
    /// - Throws: ``StorageError``.
    package func unlistedProducts(of app: AppID) throws(StorageError) -> Set<ProductID> {
        let listed = try listedProducts(of: app)
        guard !listed.isEmpty else { return [] }
        return try Set(soldProducts(of: app).map(\.id)).subtracting(listed.map(\.id))
    }
}
