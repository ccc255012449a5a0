import SubscriptionCore
import SubscriptionStorage

/// A page of signed inputs: each fact in them, or a newer one about the same thing, must be stored.
struct EvidencePass: Sendable {
    let app: AppID
    /// The sequence number before the page.
    let sequence: Int64
    let limit: Int

    /// The result of a page.
    struct Result: Sendable {
        /// The sequence number of the last input; nil if there is none.
        var last: Int64?
        /// The number of inputs.
        var inputs = 0
        /// The number of facts in them.
        var facts = 0
        /// The purchases that the inputs are about.
        var purchases: Set<OriginalTransactionID> = []
        /// The facts that are stored exactly as they are in their inputs.
        var found: [FactBalance.Entry] = []
        /// What the inputs say about products and unknown notifications.
        var tally = EvidenceTally()
        /// What is stored about them, after the last input.
        var stored: EvidenceTally.Stored?
        /// Facts that are not stored, and inputs that cannot be read.
        var differences: [RebuildDifference] = []

        /// Adds an input that cannot be read.
        mutating func addUnreadable(_ sequence: Int64, _ id: EvidenceID?, _ error: StorageError) {
            tally.addUnreadable()
            differences.append(.unreadable(sequence, id, error))
        }
    }

    /// Compares the page with the ledgers of the same snapshot, so writes at the same time cause no difference.
    ///
    /// - Throws: ``StorageError``; `storage_corrupt` if an input cannot be restored.
    func run(_ storage: any StorageReading) throws(StorageError) -> Result {
        let page = try storage.evidence(of: app, after: sequence, limit: limit)
        var result = Result(last: page.last?.sequence, inputs: page.count)
        // This snapshot has exactly the inputs of all pages.
        if page.isEmpty { result.stored = try EvidenceTally.Stored(of: app, storage) }
        var inputs: [(sequence: Int64, facts: [Fact])] = []
        inputs.reserveCapacity(page.count)
        var withRefunds: Set<OriginalTransactionID> = []
        for input in page {
            do throws(StorageError) {
                let parsed = try ParsedEvidence(input.record)
                result.tally.add(parsed, input.record)
                if !parsed.facts.isEmpty { inputs.append((input.sequence, parsed.facts)) }
                withRefunds.formUnion(parsed.purchasesWithRefunds)
            } catch {
                result.addUnreadable(input.sequence, input.record.id, error)
            }
        }
        result.purchases = Set(inputs.flatMap { $0.facts.map(\.originalID) })
        let ledgers = try storage.readableLedgers(of: result.purchases.sorted(), app: app)
        for (sequence, facts) in inputs {
            result.facts += facts.count
            for fact in facts {
                // A purchase that cannot be read is reported once, by the pass over purchases.
                guard let ledger = ledgers[fact.originalID] else { continue }
                let stored = ledger.fact(like: fact)
                if stored == fact {
                    result.found.append(FactBalance.Entry(fact))
                    result.tally.addStored(fact, sequence: sequence)
                } else if ledger.lacks(fact) {
                    result.differences.append(.missing(fact, sequence: sequence, stored: stored))
                }
            }
        }
        let refunds = RefundComparison(app: app, storage: storage)
        // The pass over purchases finds refunds that a ledger names.
        let reversed = withRefunds.filter { ledgers[$0].map { !$0.hasRefund } ?? false }
        result.differences += try refunds.missing(of: reversed.sorted())
        return result
    }
}

extension PurchaseLedger {
    /// The fact about the same thing.
    func fact(like fact: Fact) -> Fact? {
        switch fact {
        case .transaction(let fact): timeline.last { $0.id == fact.id }.map(Fact.transaction)
        case .renewal: renewal.map(Fact.renewal)
        case .status: status.map(Fact.status)
        }
    }

    /// Whether a fact is newer than what the ledger contains.
    func lacks(_ fact: Fact) -> Bool {
        var ledger = self
        return ledger.join(fact)
    }
}

extension RebuildDifference {
    static func unreadable(_ sequence: Int64, _ id: EvidenceID?, _ error: StorageError) -> RebuildDifference {
        RebuildDifference(.evidenceUnreadable, evidence: id, sequence: sequence, stored: error.detail)
    }

    static func missing(_ fact: Fact, sequence: Int64, stored: Fact?) -> RebuildDifference {
        RebuildDifference(
            .factMissing,
            fact.originalID,
            evidence: fact.evidence,
            sequence: sequence,
            stored: stored.map(DifferenceText.summary),
            derived: DifferenceText.summary(fact)
        )
    }
}
