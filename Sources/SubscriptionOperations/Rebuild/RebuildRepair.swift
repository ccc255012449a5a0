import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Repairs purchases whose stored data differs from the evidence (decision 52).
///
/// Each purchase is repaired in one transaction, with its events, its customers' versions and an audit entry. So a
/// reader sees a purchase before or after its repair, and an interrupted run can be repeated.
public struct RebuildRepair: Sendable {
    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy
    private let time: any TimeSource
    private let who: Operator

    /// The result of a repair.
    public struct Result: Hashable, Sendable {
        /// The number of repaired purchases.
        public internal(set) var repaired = 0
        /// The purchases that stayed as they are, because an input about them cannot be read and the customer could
        /// have less access without it.
        public internal(set) var held: [OriginalTransactionID] = []
    }

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - policy: The policy of the server.
    ///   - time: The clock for audit entries; it derives no state that is stored.
    ///   - who: The operator, for audit entries.
    public init(
        database: any SubscriptionDatabase,
        policy: AccessPolicy,
        by who: Operator,
        time: any TimeSource = SystemTimeSource()
    ) {
        self.database = database
        self.policy = policy
        self.time = time
        self.who = who
    }

    /// Repairs the purchases of these differences.
    ///
    /// An input that cannot be read is not repaired, and the facts that it may contain stay stored. A purchase whose
    /// repair fails, or could take access because an input cannot be read, stays as it is, and a later verification
    /// reports it again.
    ///
    /// - Throws: ``OperationError`` with storage's codes, if the database is unavailable.
    public func repair(_ differences: [RebuildDifference], of app: AppID) async throws(OperationError) -> Result {
        var result = Result()
        var byPurchase: [OriginalTransactionID: [RebuildDifference]] = [:]
        for difference in differences where difference.code != .evidenceUnreadable {
            if let purchase = difference.purchaseID { byPurchase[purchase, default: []].append(difference) }
        }
        for (purchase, differences) in byPurchase.sorted(by: { $0.key < $1.key }) {
            let repair = PurchaseRepair(
                app: app,
                id: purchase,
                differences: differences,
                policy: policy,
                now: time.now()
            )
            do throws(StorageError) {
                try await database.write { [who, time] storage throws(StorageError) in
                    try repair.run(storage)
                    let codes = Set(differences.map(\.code.rawValue)).sorted()
                    try storage.audit(
                        .purchaseRebuilt,
                        .purchase(purchase),
                        by: who,
                        app: app,
                        at: time.now(),
                        after: AuditedValue(["differences": .array(codes.map { .string($0) })])
                    )
                }
                result.repaired += 1
            } catch  where error.code == .inputNeeded {
                result.held.append(purchase)
            } catch {
                guard error.mayConcernOneWork, !error.isRetryable else { throw OperationError(error) }
            }
        }
        return result
    }
}
