import SubscriptionCore
import SubscriptionStorage

/// A page of stored purchases: looks up the input of each fact of those purchases that are in question.
struct OpenFactsPass: Sendable {
    let app: AppID
    /// The purchase before the page; nil for the first page.
    let after: OriginalTransactionID?
    let limit: Int

    /// Looks for each fact in the input that it names.
    ///
    /// A fact with other values than its input has was reported by the pass over evidence.
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
                guard try storage.fact(namedBy: fact, app: app) == nil else { continue }
                differences.append(
                    RebuildDifference(
                        .factWithoutEvidence,
                        row.id,
                        evidence: fact.evidence,
                        stored: DifferenceText.summary(fact)
                    )
                )
            }
        }
        return (page.last?.id, differences)
    }
}

extension StorageReading {
    /// What the input of a stored fact says about the same thing; nil if it says nothing, is not stored or cannot be
    /// read.
    ///
    /// - Throws: ``StorageError``.
    func fact(namedBy fact: Fact, app: AppID) throws(StorageError) -> Fact? {
        try facts(of: fact.evidence, app: app).first { fact.isAboutSame(as: $0) }
    }

    /// The facts of a signed input; none if it is not stored or cannot be read.
    ///
    /// - Throws: ``StorageError``.
    private func facts(of evidence: EvidenceID, app: AppID) throws(StorageError) -> [Fact] {
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
    /// Whether another fact is about the same transaction, renewal record or status of the same purchase.
    fileprivate func isAboutSame(as other: Fact) -> Bool {
        guard originalID == other.originalID else { return false }
        return switch (self, other) {
        case (.transaction(let left), .transaction(let right)): left.id == right.id
        case (.renewal, .renewal), (.status, .status): true
        default: false
        }
    }
}
