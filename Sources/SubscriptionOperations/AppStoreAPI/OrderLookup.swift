public import SubscriptionCore
public import SubscriptionStorage

/// What the order number in Apple's mail to a customer stands for. It writes nothing.
public struct OrderLookup: Sendable {
    /// What Apple says about an order number.
    public enum Status: String, Hashable, Sendable {
        /// An order of this app.
        case valid
        /// An order of another app of the same developer, or of another environment.
        case foreign
        /// Apple knows no order of this number for the app.
        case unknown
    }

    /// One transaction of an order.
    public struct Item: Hashable, Sendable {
        /// The transaction, as Apple signs it now.
        public var transaction: TransactionFact
        /// Whether this server holds it.
        public var isHeld: Bool
        /// The owner of its purchase; nil if there is none.
        public var owner: CustomerID?
    }

    /// What is known about an order.
    public struct Order: Hashable, Sendable {
        /// What Apple says.
        public var status: Status
        /// Its transactions, in Apple's order; empty unless it is valid.
        public var items: [Item]
    }

    private let lookup: PurchaseLookup
    private let database: any SubscriptionDatabase

    /// Makes the use case.
    public init(lookup: PurchaseLookup, database: any SubscriptionDatabase) {
        self.lookup = lookup
        self.database = database
    }

    /// Asks Apple about an order number.
    ///
    /// Source: Apple's Look Up Order ID, which exists in production only.
    ///
    /// - Throws: ``OperationError``: `app_store_api_not_configured`, `order_lookup_not_available`, `app_store_refused`,
    ///   `app_store_unavailable`, `app_store_busy`; the verifier's code; or storage's codes.
    public func order(_ id: String, of app: AppID) async throws(OperationError) -> Order {
        let transactions: [TransactionFact]
        do throws(OperationError) {
            transactions = try await lookup.transactions(ofOrder: id, app: app)
        } catch  where error.isAboutAnotherApp {
            return Order(status: .foreign, items: [])
        }
        guard !transactions.isEmpty else { return Order(status: .unknown, items: []) }
        do throws(StorageError) {
            let items = try await database.read { storage throws(StorageError) in
                try transactions.map { fact throws(StorageError) in
                    Item(
                        transaction: fact,
                        isHeld: try storage.ledger(of: fact.originalID, app: app)[fact.id] != nil,
                        owner: try storage.purchase(fact.originalID, of: app)?.customerID
                    )
                }
            }
            return Order(status: .valid, items: items)
        } catch {
            throw OperationError(error)
        }
    }
}

extension OperationError {
    fileprivate var isAboutAnotherApp: Bool {
        ["transaction_of_another_app", "bundle_id_mismatch", "environment_mismatch", "app_not_configured"]
            .contains(code)
    }
}
