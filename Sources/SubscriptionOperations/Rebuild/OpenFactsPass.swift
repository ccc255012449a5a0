import SubscriptionCore
import SubscriptionStorage

/// A page of stored purchases: compares those that are in question with their signed inputs.
struct OpenFactsPass: Sendable {
    let app: AppID
    /// The purchase before the page; nil for the first page.
    let after: OriginalTransactionID?
    let limit: Int
    let policy: AccessPolicy

    /// Looks for each fact in the input that it names, and compares what follows from the inputs.
    ///
    /// - Parameter isOpen: Whether a purchase is in question.
    /// - Returns: The last purchase of the page, nil if there is none, and the differences.
    /// - Throws: ``StorageError``.
    func run(
        _ storage: any StorageReading,
        where isOpen: (OriginalTransactionID) -> Bool
    ) throws(StorageError) -> (last: OriginalTransactionID?, differences: [RebuildDifference]) {
        let page = try storage.purchaseRows(of: app, after: after, limit: limit)
        let open = page.filter { $0.isReadable && isOpen($0.id) }
        guard !open.isEmpty else { return (page.last?.id, []) }
        let comparison = try PurchaseComparison(app: app, policy: policy, storage: storage)
        var differences: [RebuildDifference] = []
        for row in open { differences += try comparison.evidenceDifferences(of: row) }
        return (page.last?.id, differences)
    }
}

extension StorageReading {
    /// What the input of a stored fact says about the same thing; nil if it says nothing, is not stored or cannot be
    /// read.
    ///
    /// - Throws: ``StorageError``.
    func fact(namedBy fact: Fact, app: AppID) throws(StorageError) -> Fact? {
        guard let record = try foundEvidence(fact.evidence, of: app)?.record else { return nil }
        do throws(StorageError) {
            return try ParsedEvidence(record).facts.first { fact.isAboutSame(as: $0) }
        } catch {
            // An input that cannot be read is reported by the pass over evidence.
            return nil
        }
    }
}
