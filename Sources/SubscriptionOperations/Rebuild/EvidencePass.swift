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
        /// The facts that are stored exactly as they are in their inputs, and those that should be: no stored fact
        /// balances these, so their purchases are in question.
        var found: [FactBalance.Entry] = []
        /// What the inputs say about products and unknown notifications.
        var tally = EvidenceTally()
        /// What is stored about them, after the last input.
        var stored: EvidenceTally.Stored?
        /// Facts that are not stored or are stored with other values, and inputs that cannot be read.
        var differences: [RebuildDifference] = []

        /// Adds an input that cannot be read.
        mutating func addUnreadable(
            _ sequence: Int64,
            _ id: EvidenceID?,
            _ error: StorageError,
            of purchase: OriginalTransactionID? = nil
        ) {
            tally.addUnreadable()
            differences.append(.unreadable(sequence, id, error, of: purchase))
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
                result.addUnreadable(input.sequence, input.record.id, error, of: input.record.purchaseID)
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
                } else if let stored, stored.evidence == fact.evidence {
                    result.found.append(FactBalance.Entry(fact))
                    result.differences.append(.differing(fact, sequence: sequence, stored: stored))
                } else if try lacks(fact, ledger, stored: stored, storage) {
                    result.found.append(FactBalance.Entry(fact))
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

    /// Whether a fact is newer than what the ledger contains, and than what the input of the stored fact says.
    ///
    /// A stored fact that differs from its own input is reported with that input. It may lack a field, and so seem
    /// older than another statement of the same millisecond.
    private func lacks(
        _ fact: Fact,
        _ ledger: PurchaseLedger,
        stored: Fact?,
        _ storage: any StorageReading
    ) throws(StorageError) -> Bool {
        guard ledger.lacks(fact) else { return false }
        guard let stored, let named = try storage.fact(namedBy: stored, app: app) else { return true }
        var corrected = PurchaseLedger(originalID: named.originalID)
        corrected.join(named)
        return corrected.lacks(fact)
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
    static func unreadable(
        _ sequence: Int64,
        _ id: EvidenceID?,
        _ error: StorageError,
        of purchase: OriginalTransactionID?
    ) -> RebuildDifference {
        let stored = "an input that cannot be read" + (error.detail.map { " (\($0))" } ?? "")
        return RebuildDifference(.evidenceUnreadable, purchase, evidence: id, sequence: sequence, stored: stored)
    }

    static func missing(_ fact: Fact, sequence: Int64, stored: Fact?) -> RebuildDifference {
        guard let stored else {
            var difference = RebuildDifference(
                .factMissing,
                fact.originalID,
                evidence: fact.evidence,
                sequence: sequence,
                derived: DifferenceText.summary(fact)
            )
            difference.fact = difference.derived
            return difference
        }
        return comparison(.factMissing, fact, sequence: sequence, stored: stored)
    }

    static func differing(_ fact: Fact, sequence: Int64, stored: Fact) -> RebuildDifference {
        comparison(.factDiffers, fact, sequence: sequence, stored: stored)
    }

    /// A difference with the fields that differ.
    private static func comparison(
        _ code: Code,
        _ fact: Fact,
        sequence: Int64,
        stored: Fact
    ) -> RebuildDifference {
        let texts = DifferenceText.members(stored: stored.content, derived: fact.content)
        var difference = RebuildDifference(
            code,
            fact.originalID,
            evidence: fact.evidence,
            sequence: sequence,
            stored: texts.stored,
            derived: texts.derived
        )
        difference.fact = DifferenceText.summary(fact)
        return difference
    }
}
