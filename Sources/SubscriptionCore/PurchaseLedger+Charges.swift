/// The charges of a purchase.
///
/// The store can give a transaction that is restored, or read on another device, an identifier of its own. The copies
/// tell of one charge: it counts once, and what is said of one of them holds for all.
extension PurchaseLedger {
    /// One transaction for each charge, in order of purchase.
    ///
    /// Of several copies it is the first, with what was signed last about any of them.
    var charges: [TransactionFact] {
        guard hasCopies else { return timeline }
        return timeline.byCharge.compactMap(TransactionFact.init(copies:)).sorted { $0.isEarlier(than: $1) }
    }

    /// The statements that a charge is made of: that of the first transaction, and where another was signed later,
    /// that.
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

    /// The transactions of each charge, those of each in their order here.
    var byCharge: [[TransactionFact]] {
        var places: [ChargeKey: Int] = [:]
        var groups: [[TransactionFact]] = []
        for transaction in self {
            if let place = places[transaction.chargeKey] {
                groups[place].append(transaction)
            } else {
                places[transaction.chargeKey] = groups.count
                groups.append([transaction])
            }
        }
        return groups
    }

    /// The statement that was signed last.
    fileprivate var newest: TransactionFact? { self.max { $1.supersedes($0) } }
}

/// What the transactions of one charge have in common, within one purchase.
enum ChargeKey: Hashable {
    /// A period of a subscription, by the store's name for the charge.
    case named(String)
    /// A one-time purchase: buying again is another purchase.
    case oneTime(ProductKind, ProductID)
    /// A period whose charge the store does not name.
    case own(TransactionID)
}

extension TransactionFact {
    /// What the transactions of the same charge have in common.
    var chargeKey: ChargeKey {
        guard kind == .autoRenewable else { return .oneTime(kind, productID) }
        return chargeID.map(ChargeKey.named) ?? .own(id)
    }

    /// Whether both tell of one charge.
    func isCopy(of other: TransactionFact) -> Bool {
        guard kind == other.kind else { return false }
        if kind == .autoRenewable { return chargeID != nil && chargeID == other.chargeID }
        return productID == other.productID
    }

    /// The charge that copies in order of purchase tell of; nil where there are none.
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
