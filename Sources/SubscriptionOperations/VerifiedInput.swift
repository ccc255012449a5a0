import SubscriptionCore
import SubscriptionStorage

/// Verified facts with their evidence, and who brought them: what the intake takes.
struct VerifiedInput: Sendable {
    /// One signed input with the facts in it.
    struct Item: Sendable {
        /// The signed input, as it is kept.
        var evidence: EvidenceRecord
        /// What it says; nothing where it only tells something.
        let facts: [Fact]
        /// The other purchase from which the one in the facts goes on.
        var predecessor: OriginalTransactionID?
    }

    /// What a notification tells beside its facts.
    struct Notice: Sendable {
        /// What changes no state, but is told.
        let announcement: SubscriptionEvent?
        /// What the store calls the purchase.
        let purchaseName: PurchaseName?
        /// The account of the store that it is about, where it is about no purchase.
        let appTransactionID: String?
        /// Whether this version knows its kind.
        let isKnown: Bool
    }

    /// Who brought the facts.
    enum Origin: Sendable {
        /// The store's server sent them.
        case notification(Notice)
        /// A customer claims the purchases; the receipt identified the customer, where there is one.
        case claim(Claimant, receipt: ReceiptRecord? = nil)
        /// This server asked for them, and nobody claims the purchases.
        case inquiry
    }

    /// The app that the facts are about.
    let app: AppID
    /// The signed inputs, in the order in which they are joined.
    var items: [Item]
    /// Who brought them.
    let origin: Origin

    /// What taking it in touches.
    var expected: [ExpectedWork] {
        var claimant: Claimant?
        if case .claim(let named, _) = origin { claimant = named }
        return items.map { item in
            ExpectedWork(
                evidence: item.evidence,
                purchases: item.facts.map(\.originalID) + [item.predecessor].compactMap(\.self),
                customers: [claimant?.customer].compactMap(\.self) + item.facts.compactMap(\.namedCustomer),
                isClaim: claimant != nil
            )
        }
    }

    /// All facts, in order.
    var facts: [Fact] { items.count == 1 ? items[0].facts : items.flatMap(\.facts) }

    /// By purchase: the one from which it goes on.
    var predecessors: [OriginalTransactionID: OriginalTransactionID] {
        var predecessors: [OriginalTransactionID: OriginalTransactionID] = [:]
        for item in items {
            guard let predecessor = item.predecessor, let purchase = item.facts.first?.originalID else { continue }
            if predecessors[purchase] == nil { predecessors[purchase] = predecessor }
        }
        return predecessors
    }

    /// The facts by which purchases are claimed, in order of purchase, and the rest: the first transaction of each
    /// purchase claims it.
    var claimsAndRest: (claims: [Fact], rest: [Fact]) {
        var first: [OriginalTransactionID: Fact] = [:]
        var rest: [Fact] = []
        for fact in facts {
            if case .transaction = fact, first[fact.originalID] == nil {
                first[fact.originalID] = fact
            } else {
                rest.append(fact)
            }
        }
        return (first.sorted { $0.key < $1.key }.map(\.value), rest)
    }
}
