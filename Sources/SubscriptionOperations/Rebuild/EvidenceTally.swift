import AppStoreModel
import SubscriptionCore
import SubscriptionIntake
import SubscriptionStorage

/// What signed inputs say about sold products and about notifications of unknown types.
///
/// It grows with the number of products and of unknown types, not with the number of inputs.
struct EvidenceTally: Sendable {
    /// What is stored about them.
    struct Stored: Sendable {
        let products: [SoldProduct]
        let unknown: [UnknownNotificationCount]

        /// - Throws: ``StorageError``.
        init(of app: AppID, _ storage: any StorageReading) throws(StorageError) {
            products = try storage.soldProducts(of: app)
            unknown = try storage.unknownNotifications(of: app)
        }
    }

    /// A stored transaction of a product.
    private struct Sale: Sendable {
        let fact: TransactionFact
        let sequence: Int64

        var product: SoldProduct { SoldProduct(fact) }
    }

    /// Products as the inputs describe them.
    private var described: Set<SoldProduct> = []
    /// A stored transaction of each product.
    private var sales: [ProductID: Sale] = [:]
    /// By type and subtype.
    private var unknown: [[String]: UnknownNotificationCount] = [:]
    /// Whether all inputs could be read.
    private var isComplete = true

    /// Adds an input.
    mutating func add(_ input: ParsedEvidence, _ record: EvidenceRecord) {
        for case .transaction(let fact) in input.facts { described.insert(SoldProduct(fact)) }
        guard input.isOfUnknownType else { return }
        let (type, time) = (record.type ?? "", record.receivedAt)
        add(UnknownNotificationCount(type: type, subtype: record.subtype, count: 1, lastReceivedAt: time))
    }

    /// Adds a fact that is stored.
    mutating func addStored(_ fact: Fact, sequence: Int64) {
        guard case .transaction(let fact) = fact, sales[fact.productID] == nil else { return }
        sales[fact.productID] = Sale(fact: fact, sequence: sequence)
    }

    /// Adds an input that cannot be read.
    mutating func addUnreadable() { isComplete = false }

    /// Adds later inputs.
    mutating func add(_ later: EvidenceTally) {
        described.formUnion(later.described)
        sales.merge(later.sales) { first, _ in first }
        for count in later.unknown.values { add(count) }
        isComplete = isComplete && later.isComplete
    }

    private mutating func add(_ count: UnknownNotificationCount) {
        var sum = count
        sum.count += unknown[count.key]?.count ?? 0
        unknown[count.key] = sum
    }

    // MARK: Comparison

    /// The differences from what is stored. An input that cannot be read may contain what seems to be too much.
    func differences(from stored: Stored) -> [RebuildDifference] {
        productDifferences(stored.products) + unknownDifferences(stored.unknown)
    }

    private func productDifferences(_ stored: [SoldProduct]) -> [RebuildDifference] {
        let known = Set(stored.map(\.id))
        let missing = sales.values.filter { !known.contains($0.fact.productID) }
            .sorted { $0.fact.productID < $1.fact.productID }
            .map { difference(of: $0.fact.productID, stored: nil, $0) }
        let wrong = stored.filter { isComplete && !described.contains($0) }
            .map { difference(of: $0.id, stored: $0, sales[$0.id]) }
        return missing + wrong
    }

    private func difference(of product: ProductID, stored: SoldProduct?, _ sale: Sale?) -> RebuildDifference {
        var difference = RebuildDifference(
            .soldProductDiffers,
            sale?.fact.originalID,
            evidence: sale?.fact.evidence,
            sequence: sale?.sequence,
            stored: stored?.text,
            derived: sale?.product.text
        )
        difference.productID = product
        return difference
    }

    /// A type that an earlier version did not know keeps its count, and version 1 is not signed.
    private func unknownDifferences(_ stored: [UnknownNotificationCount]) -> [RebuildDifference] {
        let known = Dictionary(stored.map { ($0.key, $0) }) { first, _ in first }
        let wrong = unknown.values.sorted { $0.key.lexicographicallyPrecedes($1.key) }.filter { count in
            guard let stored = known[count.key] else { return true }
            guard isComplete else { return stored.count < count.count }
            return stored.count != count.count || stored.lastReceivedAt != count.lastReceivedAt
        }
        let surplus = stored.filter { count in
            isComplete && unknown[count.key] == nil && count.type != UnknownNotificationCount.versionOne
                && !count.isKnown
        }
        return wrong.map {
            RebuildDifference(.unknownNotificationsDiffer, stored: known[$0.key]?.text, derived: $0.text)
        }
            + surplus.map { RebuildDifference(.unknownNotificationsDiffer, stored: $0.text) }
    }
}

extension SoldProduct {
    fileprivate var text: String {
        "\(id), \(kind.rawValue)" + (groupID.map { " of group \($0)" } ?? "")
    }
}

extension UnknownNotificationCount {
    fileprivate var key: [String] { [type, subtype ?? ""] }

    /// Whether this version knows the type.
    fileprivate var isKnown: Bool {
        AppleIntake.isKnown(NotificationType(rawValue: type), subtype.map(NotificationSubtype.init(rawValue:)))
    }

    fileprivate var text: String {
        let name = [type, subtype].compactMap(\.self).joined(separator: "/")
        return "\(count) of type \(name), the last received \(lastReceivedAt.exactText)"
    }
}
