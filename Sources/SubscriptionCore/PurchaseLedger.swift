/// Everything known of one purchase: a join of signed facts.
///
/// Per transaction, per renewal record and per status the newest statement is kept. The join is commutative,
/// associative and idempotent, so any order, duplication or route of the facts ends in the same ledger.
public struct PurchaseLedger: Hashable, Sendable {
    /// The purchase.
    public let originalID: OriginalTransactionID
    /// The newest statement of each transaction, in order of purchase.
    ///
    /// Kept in order, since every step looks through it several times and few bring a transaction.
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

    /// The ledger that is kept.
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

    /// Takes a fact in, and says whether anything changed.
    ///
    /// A fact about another purchase changes nothing.
    @discardableResult
    public mutating func join(_ fact: Fact) -> Bool {
        guard fact.originalID == originalID else { return false }
        switch fact {
        case .transaction(let fact):
            let place = timeline.firstIndex { $0.id == fact.id }
            guard fact.supersedes(place.map { timeline[$0] }) else { return false }
            if let place { timeline.remove(at: place) }
            let isCopy = timeline.contains { $0.isCopy(of: fact) }
            // Most are the latest: the place is looked for from the end.
            let earlier = timeline.lastIndex { $0.isEarlier(than: fact) }
            timeline.insert(fact, at: earlier.map { $0 + 1 } ?? 0)
            // A newer statement may also say that what was taken for a copy is none.
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

    /// Takes all facts of another ledger of the same purchase in.
    @discardableResult
    public mutating func join(_ other: PurchaseLedger) -> Bool {
        var changed = false
        for fact in other.facts where join(fact) { changed = true }
        return changed
    }

    /// Every fact held, transactions in order of purchase.
    public var facts: [Fact] {
        timeline.map(Fact.transaction) + [renewal.map(Fact.renewal), status.map(Fact.status)].compactMap(\.self)
    }

    /// The newest statement of a transaction.
    public subscript(id: TransactionID) -> TransactionFact? {
        timeline.first { $0.id == id }
    }
}

/// A statement that a newer statement about the same thing replaces.
protocol DatedStatement {
    var signedAt: Timestamp { get }
    /// The statement as text, the same on every machine: decides between two statements signed in one millisecond.
    var canonicalText: String { get }
}

extension DatedStatement {
    /// Whether this statement takes the place of what is held.
    ///
    /// Newest first; a tie is broken by the canonical text, so that the outcome never depends on arrival.
    func supersedes(_ held: Self?) -> Bool {
        guard let held else { return true }
        if signedAt != held.signedAt { return signedAt > held.signedAt }
        return held.canonicalText.utf8.lexicographicallyPrecedes(canonicalText.utf8)
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

    /// Orders by start, then end, then identifier, so that no two transactions are in the same place.
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

/// Parts that are present sort after parts that are absent; lengths are written so that no two lists read the same.
private func joined(_ parts: [String?]) -> String {
    parts.map { $0.map { "1\($0.utf8.count):\($0)" } ?? "0" }.joined(separator: "")
}

/// Fixed width, so that text order is time order, also before 1970.
private func sortable(_ time: Timestamp) -> String {
    let width = 20
    let digits = String(UInt64(bitPattern: time.milliseconds) ^ (1 << 63))
    return String(repeating: "0", count: width - digits.utf8.count) + digits
}
