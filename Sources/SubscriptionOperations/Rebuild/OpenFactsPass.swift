import SubscriptionCore
import SubscriptionStorage

/// A page of stored purchases: looks up the input of each fact of those purchases that are in question.
struct OpenFactsPass: Sendable {
    let app: AppID
    /// The purchase before the page; nil for the first page.
    let after: OriginalTransactionID?
    let limit: Int

    /// Compares each fact with the input that it names.
    ///
    /// - Parameter isOpen: Whether a purchase is in question.
    /// - Returns: The last purchase of the page, nil if there is none, and the differences.
    /// - Throws: ``StorageError``.
    func run(
        _ storage: any StorageReading,
        where isOpen: (OriginalTransactionID) -> Bool
    ) throws(StorageError) -> (last: OriginalTransactionID?, differences: [RebuildDifference]) {
        let page = try storage.purchaseRows(of: app, after: after, limit: limit)
        var differences: [RebuildDifference] = []
        for row in page where row.isReadable && isOpen(row.id) {
            for fact in row.ledger.facts {
                let facts = try storage.facts(of: fact.evidence, app: app)
                guard !facts.contains(fact) else { continue }
                let derived = facts.first { fact.isAboutSame(as: $0) }
                let texts = DifferenceText.members(stored: fact.content, derived: derived?.content)
                differences.append(
                    RebuildDifference(
                        .factWithoutEvidence,
                        row.id,
                        evidence: fact.evidence,
                        stored: derived == nil ? DifferenceText.summary(fact) : texts.stored,
                        derived: texts.derived
                    )
                )
            }
        }
        return (page.last?.id, differences)
    }
}

extension StorageReading {
    /// The facts of a signed input; none if it is not stored or cannot be read.
    ///
    /// - Throws: ``StorageError``.
    func facts(of evidence: EvidenceID, app: AppID) throws(StorageError) -> [Fact] {
        do throws(StorageError) {
            guard let record = try self.evidence(evidence, of: app) else { return [] }
            return try ParsedEvidence(record).facts
        } catch {
            guard error.code == .corrupt else { throw error }
            return []
        }
    }
}

extension Fact {
    /// Whether another fact is about the same transaction, renewal record or status.
    func isAboutSame(as other: Fact) -> Bool {
        switch (self, other) {
        case (.transaction(let left), .transaction(let right)): left.id == right.id
        case (.renewal, .renewal), (.status, .status): originalID == other.originalID
        default: false
        }
    }
}
