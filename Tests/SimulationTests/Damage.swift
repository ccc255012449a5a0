import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// A damage to stored data that a rebuild has to find.
enum Damage: String, CaseIterable, Sendable {
    case firstFactLost, newestFactLost, allFactsLost, factAltered, renewalAltered, fieldLost, factInvented
    case stateLost, stateAltered
    case ownerAltered, indexEntryLost, indexEntryInvented, productLost, productAltered

    /// The code of the difference.
    var code: RebuildDifference.Code {
        switch self {
        case .firstFactLost, .newestFactLost, .allFactsLost: .factMissing
        case .factAltered, .renewalAltered, .fieldLost: .factDiffers
        case .factInvented: .factWithoutEvidence
        case .stateLost, .stateAltered: .stateDiffers
        case .ownerAltered: .ownerDiffers
        case .indexEntryLost, .indexEntryInvented: .transactionIndexDiffers
        case .productLost, .productAltered: .soldProductDiffers
        }
    }

    /// Whether any purchase with the product may be named as the one with the difference.
    var isOfProduct: Bool { code == .soldProductDiffers }

    /// A purchase that can have the damage: the one with most transactions.
    func target(in server: ServerUnderTest) async throws -> PurchaseRow? {
        try await server.stored().filter { row in
            switch self {
            case .renewalAltered: row.ledger.renewal != nil
            case .stateAltered: if case .subscription? = row.record?.state { true } else { false }
            case .ownerAltered: row.record?.claim == .submitted && !row.claims.isEmpty
            default: row.ledger.timeline.count > 1
            }
        }.max { $0.ledger.timeline.count < $1.ledger.timeline.count }
    }

    func apply(to row: PurchaseRow, in storage: any StorageWriting, app: AppID) throws(StorageError) {
        let facts = row.ledger.facts
        switch self {
        case .firstFactLost: try keep(Array(facts.dropFirst()), of: row, storage, app)
        case .newestFactLost:
            let newest = row.ledger.timeline.last
            try keep(facts.filter { $0 != newest.map(Fact.transaction) }, of: row, storage, app)
        case .allFactsLost: try keep([], of: row, storage, app)
        case .factAltered:
            guard var fact = row.ledger.timeline.last else { return }
            fact.expiresAt = fact.expiresAt?.adding(milliseconds: 86_400_000)
            fact.storefront = "ATA"
            try storage.save(.transaction(fact), of: app)
        case .renewalAltered:
            guard var fact = row.ledger.renewal else { return }
            fact.autoRenew.toggle()
            try storage.save(.renewal(fact), of: app)
        case .fieldLost:
            guard var fact = row.ledger.timeline.last else { return }
            fact.chargeID = nil
            try storage.save(.transaction(fact), of: app)
        case .factInvented:
            guard var fact = row.ledger.timeline.last else { return }
            fact.id = TransactionID("9999999999999999")
            fact.purchasedAt = fact.purchasedAt.adding(milliseconds: 1)
            try storage.save(.transaction(fact), of: app)
        case .stateLost, .stateAltered, .ownerAltered:
            guard var record = row.record else { return }
            if self == .ownerAltered { record.customerID = CustomerID("somebody") }
            if self == .stateLost { record.state = nil }
            if self == .stateAltered, case .subscription(var state)? = record.state {
                state.givesAccess.toggle()
                record.state = .subscription(state)
            }
            try storage.save(record, of: app)
        case .indexEntryLost, .indexEntryInvented, .productLost, .productAltered:
            try damageTables(of: row, storage, app)
        }
    }

    private func damageTables(
        of row: PurchaseRow,
        _ storage: any StorageWriting,
        _ app: AppID
    ) throws(StorageError) {
        guard let fact = row.ledger.timeline.last else { return }
        switch self {
        case .indexEntryLost: try storage.remove(IndexedTransaction(id: fact.id, purchaseID: row.id), of: app)
        case .indexEntryInvented:
            let entry = IndexedTransaction(id: TransactionID("9999999999999999"), purchaseID: row.id)
            try storage.insert(entry, of: app)
        case .productLost:
            try storage.remove(SoldProduct.self, TableLookup(of: app, equal: [.text(fact.productID)]))
        default:
            var product = SoldProduct(fact)
            product.groupID = SubscriptionGroupID("somewhere")
            try storage.save(product, in: app)
        }
    }

    private func keep(
        _ facts: [Fact],
        of row: PurchaseRow,
        _ storage: any StorageWriting,
        _ app: AppID
    ) throws(StorageError) {
        try storage.removeFacts(row.ledger, clearsState: false, of: app)
        for fact in facts { try storage.save(fact, of: app) }
    }
}
