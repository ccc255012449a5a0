import SubscriptionCore
import SubscriptionStorage

/// The input of the intake: verified facts with their evidence and origin.
struct VerifiedInput: Sendable {
    /// One signed input with the facts in it.
    struct Item: Sendable {
        /// The signed input to store.
        var evidence: EvidenceRecord
        /// Its facts; empty for a pure announcement.
        let facts: [Fact]
        /// The predecessor of the purchase in the facts.
        var predecessor: OriginalTransactionID?
    }

    /// The content of a notification besides its facts.
    struct Notice: Sendable {
        /// An event that changes no state.
        let announcement: SubscriptionEvent?
        /// The store's name for the purchase.
        let purchaseName: PurchaseName?
        /// The app transaction identifier, if it is about no purchase.
        let appTransactionID: String?
        /// Whether this version knows its type.
        let isKnown: Bool
    }

    /// The origin of the facts.
    enum Origin: Sendable {
        /// A notification of the store.
        case notification(Notice)
        /// A claim by a customer, with the receipt that identified the customer, if any.
        case claim(Claimant, receipt: ReceiptRecord? = nil)
        /// A request by this server, without a claim.
        ///
        /// - Parameter suppressed: What causes no events; nil if everything causes some.
        case inquiry(suppressed: SuppressedEvents? = nil)
    }

    /// What causes no events in an answer about a purchase that was submitted without events: its past, and purchases
    /// that are new.
    struct SuppressedEvents: Sendable {
        /// The purchase.
        let purchase: OriginalTransactionID
        /// The signed inputs that are not of its past. What is new in them causes events.
        var news: Set<EvidenceID> = []
    }

    /// The app that the facts are about.
    let app: AppID
    /// The signed inputs, in the order of joining.
    var items: [Item]
    /// The origin of the facts.
    let origin: Origin
    /// Whether missing periods of a known purchase are a reason to ask for the history. They are none if the facts are
    /// everything that Apple has.
    var asksForHistory = true
    /// The purchase whose history is asked for in any case. Its missing periods are no further reason.
    var awaitedHistory: OriginalTransactionID?

    /// The rows that storing it is expected to use.
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

    /// The predecessor by purchase.
    var predecessors: [OriginalTransactionID: OriginalTransactionID] {
        var predecessors: [OriginalTransactionID: OriginalTransactionID] = [:]
        for item in items {
            guard let predecessor = item.predecessor, let purchase = item.facts.first?.originalID else { continue }
            if predecessors[purchase] == nil { predecessors[purchase] = predecessor }
        }
        return predecessors
    }

    /// The first transaction of each purchase, which claims it, in order of purchase; and all other facts.
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

extension VerifiedInput.Item {
    /// The transaction in it; nil if there is none.
    var transaction: TransactionFact? {
        for case .transaction(let fact) in facts { return fact }
        return nil
    }
}
