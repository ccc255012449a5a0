/// The charges of a purchase.
///
/// The store can give a restored transaction, or one read on another device, a new identifier. The copies describe one
/// charge: it counts once, and a statement about one copy applies to all.
extension PurchaseLedger {
    /// One transaction for each charge, in order of purchase.
    ///
    /// A charge with several copies has the identifier of the first copy and the newest statement about any of them.
    var charges: [TransactionFact] {
        guard hasCopies else { return timeline }
        return timeline.byCharge.compactMap(TransactionFact.init(copies:)).sorted { $0.isEarlier(than: $1) }
    }

    /// The statements of a charge: that of the first transaction, and the newest one if it belongs to another copy.
    func statements(of charge: TransactionFact) -> [TransactionFact] {
        guard hasCopies else { return [charge] }
        let copies = timeline.filter { $0.chargeKey == charge.chargeKey }
        guard let first = copies.first(where: { $0.id == charge.id }), let newest = copies.newest else {
            return [charge]
        }
        return first == newest ? [first] : [first, newest]
    }
}

extension [TransactionFact] {
    /// Whether two of them are about one charge.
    var hasCopies: Bool { Set(lazy.map(\.chargeKey)).count < count }

    /// The transactions grouped by charge, in their original order.
    var byCharge: [[TransactionFact]] {
        var groupIndices: [ChargeKey: Int] = [:]
        var groups: [[TransactionFact]] = []
        for transaction in self {
            if let index = groupIndices[transaction.chargeKey] {
                groups[index].append(transaction)
            } else {
                groupIndices[transaction.chargeKey] = groups.count
                groups.append([transaction])
            }
        }
        return groups
    }

    /// The statement that was signed last.
    fileprivate var newest: TransactionFact? { self.max { $1.supersedes($0) } }
}

/// Identifies a charge within one purchase.
enum ChargeKey: Hashable {
    /// A period of a subscription, by the store's charge identifier.
    case named(String)
    /// A one-time purchase; buying again makes another purchase.
    case oneTime(ProductKind, ProductID)
    /// A period without a charge identifier.
    case own(TransactionID)
}

extension TransactionFact {
    /// The charge of this transaction.
    var chargeKey: ChargeKey {
        guard kind == .autoRenewable else { return .oneTime(kind, productID) }
        return chargeID.map(ChargeKey.named) ?? .own(id)
    }

    /// Whether both belong to one charge.
    func isCopy(of other: TransactionFact) -> Bool {
        guard kind == other.kind else { return false }
        if kind == .autoRenewable { return chargeID != nil && chargeID == other.chargeID }
        return productID == other.productID
    }

    /// The charge of some copies, which are in order of purchase; nil if there are none.
    init?(copies: [TransactionFact]) {
        guard
            let first = copies.first(where: { $0.id.rawValue == $0.originalID.rawValue }) ?? copies.first,
            let newest = copies.newest
        else { return nil }
        self = first
        guard newest != first else { return }
        signedAt = newest.signedAt
        evidence = newest.evidence
        expiresAt = newest.expiresAt ?? expiresAt
        isUpgraded = newest.isUpgraded
        revocation = newest.revocation
        ownership = newest.ownership
        price = copies.filter { $0.price != nil }.newest?.price
    }
}
