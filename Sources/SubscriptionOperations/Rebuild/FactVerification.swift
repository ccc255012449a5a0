public import SubscriptionCore
public import SubscriptionStorage

/// Compares the stored facts and states of purchases with the stored evidence. It changes nothing.
///
/// Two passes prove that facts equal their evidence, with a page of rows in memory at a time. Each fact of each input
/// must already be in the ledger of its purchase. Each fact in a ledger must be a fact of the input that it names.
public struct FactVerification: Sendable {
    private static let pageSize = 200

    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy) {
        self.database = database
        self.policy = policy
    }

    /// Compares everything of an app on one snapshot, so writes at the same time cause no differences.
    ///
    /// - Parameter report: Called with each difference; it runs on the engine's thread.
    /// - Returns: The number of differences.
    /// - Throws: ``OperationError`` with storage's codes.
    public func verify(
        _ app: AppID,
        report: @escaping @Sendable (FactDifference) -> Void
    ) async throws(OperationError) -> Int {
        do {
            return try await database.read { [policy] storage throws(StorageError) in
                var pass = FactVerificationPass(app: app, policy: policy, storage: storage, report: report)
                for kind in [EvidenceRecord.Kind.notification, .transaction, .renewal] {
                    try pass.compareEvidence(of: kind, pageSize: Self.pageSize)
                }
                try pass.comparePurchases(pageSize: Self.pageSize)
                return pass.count
            }
        } catch {
            throw OperationError(error)
        }
    }
}

/// The two passes of a verification on one snapshot.
private struct FactVerificationPass {
    let app: AppID
    let policy: AccessPolicy
    let storage: any StorageReading
    let report: @Sendable (FactDifference) -> Void
    var count = 0

    mutating func compareEvidence(of kind: EvidenceRecord.Kind, pageSize: Int) throws(StorageError) {
        var sequence: Int64 = 0
        while true {
            let page = try storage.evidence(kind, of: app, after: sequence, limit: pageSize)
            guard let last = page.last else { return }
            sequence = last.sequence
            for summary in page { try compare(summary.id) }
        }
    }

    private mutating func compare(_ id: EvidenceID) throws(StorageError) {
        guard let record = try storage.evidence(id, of: app) else { return }
        guard let parsed = parsed(record) else { return add(.evidenceUnreadable, record.purchaseID, id) }
        for fact in parsed.facts {
            var ledger = try storage.ledger(of: fact.originalID, app: app)
            if ledger.join(fact) { add(.factMissing, fact.originalID, id) }
        }
    }

    mutating func comparePurchases(pageSize: Int) throws(StorageError) {
        let rule = try storage.entitlementRule(of: app)
        var cursor: OriginalTransactionID?
        while true {
            let page = try storage.purchases(
                derivedAfter: Timestamp(milliseconds: .min),
                of: app,
                after: cursor,
                limit: pageSize
            )
            guard let last = page.last else { return }
            cursor = last
            for purchase in page { try compare(purchase, rule: rule) }
        }
    }

    /// The state is derived for the time of the stored one, so a change that is due is no difference.
    private mutating func compare(_ purchase: OriginalTransactionID, rule: EntitlementRule) throws(StorageError) {
        let ledger = try storage.ledger(of: purchase, app: app)
        for fact in ledger.facts {
            let record = try storage.evidence(fact.evidence, of: app)
            let facts = record.flatMap(parsed)?.facts ?? []
            if !facts.contains(fact) { add(.factWithoutEvidence, purchase, fact.evidence) }
        }
        guard let record = try storage.purchase(purchase, of: app) else { return }
        let state = ledger.state(at: record.evaluatedAt, policy: policy)
            .map { rule.timed($0, at: record.evaluatedAt) }
        if state != record.state { add(.stateDiffers, purchase, nil) }
    }

    private func parsed(_ record: EvidenceRecord) -> ParsedEvidence? {
        do throws(StorageError) { return try ParsedEvidence(record) } catch { return nil }
    }

    private mutating func add(_ kind: FactDifference.Kind, _ purchase: OriginalTransactionID?, _ id: EvidenceID?) {
        count += 1
        report(FactDifference(kind: kind, purchaseID: purchase, evidenceID: id))
    }
}
