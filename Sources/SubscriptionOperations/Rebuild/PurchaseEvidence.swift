import SubscriptionCore
import SubscriptionStorage

/// The signed inputs about a purchase: the facts in them, and whether all inputs can be read.
///
/// An input that cannot be read may contain a stored fact that no other input contains. Such a fact counts as stored,
/// so that damaged evidence takes access from nobody.
struct PurchaseEvidence {
    private static let inputsPerPage = 200

    /// The facts about the purchase in its inputs, also those that newer ones replaced.
    private(set) var facts: [Fact] = []
    /// When the last input was received; nil without one that can be restored.
    private(set) var lastReceivedAt: Timestamp?
    /// Whether all inputs can be read.
    private(set) var isComplete = true
    private let purchase: OriginalTransactionID
    /// The inputs that can be read.
    private var readable: Set<EvidenceID> = []

    /// Reads the inputs about a purchase, those that its stored facts name, and others.
    ///
    /// - Parameters:
    ///   - stored: The stored facts.
    ///   - others: Inputs that may also be about it.
    /// - Throws: ``StorageError``.
    init(
        of stored: PurchaseLedger,
        and others: [EvidenceID] = [],
        app: AppID,
        storage: any StorageReading
    ) throws(StorageError) {
        purchase = stored.originalID
        var restored: Set<EvidenceID> = []
        var sequence: Int64 = 0
        while true {
            let page = try storage.foundEvidence(
                about: purchase,
                of: app,
                after: sequence,
                limit: Self.inputsPerPage
            )
            guard let last = page.last else { break }
            for input in page {
                add(input)
                if let record = input.record { restored.insert(record.id) }
            }
            sequence = last.sequence
        }
        let named = Set(others + stored.facts.map(\.evidence)).subtracting(restored)
        for id in named.sorted() {
            if let input = try storage.foundEvidence(id, of: app) { add(input) }
        }
    }

    private mutating func add(_ input: FoundEvidence) {
        guard let record = input.record else {
            isComplete = false
            return
        }
        lastReceivedAt = max(lastReceivedAt ?? record.receivedAt, record.receivedAt)
        do throws(StorageError) {
            let parsed = try ParsedEvidence(record)
            for fact in parsed.facts where fact.originalID == purchase { facts.append(fact) }
            readable.insert(record.id)
        } catch {
            // The pass over the inputs reports it.
            isComplete = false
        }
    }

    /// Whether the input that a fact names says something about the same thing, perhaps with other values.
    func saysSomething(like fact: Fact) -> Bool {
        facts.contains { $0.evidence == fact.evidence && fact.isAboutSame(as: $0) }
    }

    /// Whether an input that cannot be read may contain a stored fact.
    func mayHide(_ fact: Fact) -> Bool { !isComplete && !readable.contains(fact.evidence) }

    /// The stored facts without those that no input contains.
    func kept(of stored: PurchaseLedger) -> [Fact] {
        let known = Set(facts)
        return stored.facts.filter { known.contains($0) || mayHide($0) }
    }

    /// The facts that should be stored.
    func ledger(insteadOf stored: PurchaseLedger) -> PurchaseLedger {
        var ledger = PurchaseLedger(originalID: purchase)
        for fact in kept(of: stored) + facts { ledger.join(fact) }
        return ledger
    }
}

extension Fact {
    /// Whether another fact is about the same transaction, renewal record or status of the same purchase.
    func isAboutSame(as other: Fact) -> Bool {
        guard originalID == other.originalID else { return false }
        return switch (self, other) {
        case (.transaction(let left), .transaction(let right)): left.id == right.id
        case (.renewal, .renewal), (.status, .status): true
        default: false
        }
    }
}
