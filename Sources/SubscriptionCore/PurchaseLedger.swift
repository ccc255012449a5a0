/// All facts about one purchase, joined.
///
/// It contains the newest statement of each transaction, the newest renewal record and the newest status. The join is
/// commutative, associative and idempotent, so the order and duplication of facts do not change the result.
public struct PurchaseLedger: Hashable, Sendable {
    /// The purchase.
    public let originalID: OriginalTransactionID
    /// The newest statement of each transaction, in order of purchase.
    ///
    /// It is kept sorted, because each derivation reads it several times and few inputs add a transaction.
    public private(set) var timeline: [TransactionFact] = []
    /// Whether some transactions of the timeline are copies of one another.
    private(set) var hasCopies = false
    /// The newest renewal record.
    public private(set) var renewal: RenewalFact?
    /// The newest status.
    public private(set) var status: StatusFact?

    /// An empty ledger of a purchase.
    public init(originalID: OriginalTransactionID) {
        self.originalID = originalID
    }

    /// Makes a ledger from its stored parts.
    ///
    /// - Parameter transactions: One statement of each transaction, in any order.
    package init(
        originalID: OriginalTransactionID,
        transactions: [TransactionFact],
        renewal: RenewalFact?,
        status: StatusFact?
    ) {
        self.originalID = originalID
        timeline = transactions
        timeline.sort { $0.isEarlier(than: $1) }
        hasCopies = timeline.hasCopies
        self.renewal = renewal
        self.status = status
    }

    /// Adds a fact and returns whether the ledger changed.
    ///
    /// A fact about another purchase is ignored.
    @discardableResult
    public mutating func join(_ fact: Fact) -> Bool {
        guard fact.originalID == originalID else { return false }
        switch fact {
        case .transaction(let fact):
            let index = timeline.firstIndex { $0.id == fact.id }
            guard fact.supersedes(index.map { timeline[$0] }) else { return false }
            if let index { timeline.remove(at: index) }
            let isCopy = timeline.contains { $0.isCopy(of: fact) }
            // Most facts are the latest, so the search begins at the end.
            let earlier = timeline.lastIndex { $0.isEarlier(than: fact) }
            timeline.insert(fact, at: earlier.map { $0 + 1 } ?? 0)
            // A newer statement may also show that the transaction is not a copy.
            hasCopies = isCopy || (hasCopies && timeline.hasCopies)
        case .renewal(let fact):
            guard fact.supersedes(renewal) else { return false }
            renewal = fact
        case .status(let fact):
            guard fact.supersedes(status) else { return false }
            status = fact
        }
        return true
    }

    /// Adds all facts of another ledger of the same purchase.
    @discardableResult
    public mutating func join(_ other: PurchaseLedger) -> Bool {
        var changed = false
        for fact in other.facts where join(fact) { changed = true }
        return changed
    }

    /// All facts, transactions in order of purchase.
    public var facts: [Fact] {
        timeline.map(Fact.transaction) + [renewal.map(Fact.renewal), status.map(Fact.status)].compactMap(\.self)
    }

    /// Whether the first transaction is known: the one whose identifier the purchase has.
    ///
    /// It is not if the purchase began before the server heard of it.
    public var isBeginningKnown: Bool { timeline.contains { $0.id.rawValue == originalID.rawValue } }

    /// The newest statement of a transaction.
    public subscript(id: TransactionID) -> TransactionFact? {
        timeline.first { $0.id == id }
    }
}

/// A statement that a newer statement about the same thing replaces.
protocol DatedStatement {
    var signedAt: Timestamp { get }
    /// The statement as text, the same on every machine. It orders statements that were signed in the same millisecond.
    var canonicalText: String { get }
}

extension DatedStatement {
    /// Whether this statement replaces another one.
    ///
    /// The newer one wins. The canonical text breaks ties, so the result does not depend on the order of arrival.
    func supersedes(_ other: Self?) -> Bool {
        guard let other else { return true }
        if signedAt != other.signedAt { return signedAt > other.signedAt }
        return other.canonicalText.utf8.lexicographicallyPrecedes(canonicalText.utf8)
    }
}

extension TransactionFact: DatedStatement {
    /// A revoked or upgraded statement, or one with a later end, ranks above one without.
    var canonicalText: String {
        let parts: [String?] = [
            revocation?.canonicalText,
            isUpgraded ? "upgraded" : nil, expiresAt.map(sortable), sortable(purchasedAt),
            sortable(originallyPurchasedAt), id.rawValue, productID.rawValue, groupID?.rawValue, kind.rawValue,
            String(quantity), ownership.rawValue, String(isRenewal), offer?.canonicalText, price?.canonicalText,
            storefront, accountToken, appTransactionID, chargeID, evidence.rawValue,
        ]
        return joined(parts)
    }

    /// The end of the paid time; a transaction without one ends where it starts.
    var end: Timestamp { expiresAt ?? purchasedAt }

    /// A total order by start, then end, then identifier.
    func isEarlier(than other: TransactionFact) -> Bool {
        if purchasedAt != other.purchasedAt { return purchasedAt < other.purchasedAt }
        if end != other.end { return end < other.end }
        return id < other.id
    }
}

extension RenewalFact: DatedStatement {
    /// A record with a reason for the end, or with a later renewal, ranks above one without.
    var canonicalText: String {
        let parts: [String?] = [
            expirationReason?.rawValue, renewsAt.map(sortable), autoRenew ? nil : "off", String(isInBillingRetry),
            graceExpiresAt.map(sortable), productID.rawValue, nextProductID.rawValue,
            priceIncreaseAccepted.map(String.init), offer?.canonicalText, renewalPrice?.canonicalText,
            recentStartAt.map(sortable), accountToken, joined(winBackOfferIDs), isCommitted ? "committed" : nil,
            evidence.rawValue,
        ]
        return joined(parts)
    }
}

extension StatusFact: DatedStatement {
    var canonicalText: String { joined([status.rawValue, evidence.rawValue]) }
}

extension Revocation {
    fileprivate var canonicalText: String {
        joined([sortable(at), kind.rawValue, reason.map(String.init), percentage.map(String.init)])
    }
}

extension Offer {
    fileprivate var canonicalText: String { joined([kind.rawValue, payment?.rawValue, identifier, period]) }
}

extension Money {
    fileprivate var canonicalText: String { "\(milliunits) \(currency)" }
}

/// Present parts sort after absent ones. The lengths make the text of each list unique.
private func joined(_ parts: [String?]) -> String {
    parts.map { $0.map { "1\($0.utf8.count):\($0)" } ?? "0" }.joined(separator: "")
}

/// Fixed width, so that text order equals time order, also before 1970.
private func sortable(_ time: Timestamp) -> String {
    let width = 20
    let digits = String(UInt64(bitPattern: time.milliseconds) ^ (1 << 63))
    return String(repeating: "0", count: width - digits.utf8.count) + digits
}
