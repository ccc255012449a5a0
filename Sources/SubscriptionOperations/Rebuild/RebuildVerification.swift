public import SubscriptionCore
public import SubscriptionStorage

/// Compares the stored facts, states, due times, owners, index of transactions, sold products and counts of unknown
/// notifications with the stored evidence. It changes nothing.
///
/// Three passes prove that the stored facts are exactly the newest of their evidence (decision 52): each fact of each
/// input is stored or superseded; each stored fact was found in its input; and what is in question is looked up. Each
/// page is read on one snapshot, so a server may run meanwhile. Memory does not grow with the database.
///
/// A purchase whose stored facts are not those of its inputs is in question. Its state, due time, owner and index are
/// compared with what follows from the inputs. An input that cannot be read may contain what others do not (decision
/// 78).
public struct RebuildVerification: Sendable {
    package static let inputsPerPage = 500
    static let purchasesPerPage = 500

    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy

    /// The counts of a verification.
    public struct Summary: Hashable, Sendable {
        /// The number of signed inputs.
        public var inputs = 0
        /// The number of facts in them.
        public var facts = 0
        /// The number of stored purchases.
        public var purchases = 0
        /// The number of differences.
        public var differences = 0

        /// Counts of nothing.
        public init() {}

        /// Adds the counts of another app.
        public static func += (total: inout Summary, other: Summary) {
            total.inputs += other.inputs
            total.facts += other.facts
            total.purchases += other.purchases
            total.differences += other.differences
        }
    }

    /// Makes the use case.
    ///
    /// - Parameter policy: The policy of the server that derived the states.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy) {
        self.database = database
        self.policy = policy
    }

    /// Compares everything of an app.
    ///
    /// - Parameters:
    ///   - progress: Called after each page with the counts so far.
    ///   - report: Called with the differences of each page that has any.
    /// - Throws: ``OperationError`` with storage's codes, and what `report` throws.
    public func verify(
        _ app: AppID,
        progress: (Summary) -> Void = { _ in },
        report: ([RebuildDifference]) async throws(OperationError) -> Void
    ) async throws(OperationError) -> Summary {
        var summary = Summary()
        var balance = FactBalance()
        var indexBalance = FactBalance()
        var tally = EvidenceTally()
        var sequence: Int64 = 0
        while let page = try await evidence(of: app, after: sequence) {
            guard let last = page.last else {
                if let stored = page.stored { try await note(tally.differences(from: stored), in: &summary, report) }
                break
            }
            sequence = last
            balance.add(page.found)
            tally.add(page.tally)
            summary.inputs += page.inputs
            summary.facts += page.facts
            try await note(page.differences, in: &summary, report)
            progress(summary)
        }
        var purchase: OriginalTransactionID?
        while true {
            let pass = PurchasePass(app: app, after: purchase, limit: Self.purchasesPerPage, policy: policy)
            let page = try await read { storage throws(StorageError) in try pass.run(storage) }
            guard let last = page.last else { break }
            purchase = last
            balance.subtract(page.stored)
            indexBalance.add(page.indexed)
            summary.purchases += page.purchases
            try await note(page.differences, in: &summary, report)
            progress(summary)
        }
        if !balance.isBalanced { try await lookUp(balance, of: app, in: &summary, report) }
        try await compareIndex(with: indexBalance, facts: balance, of: app, in: &summary, report)
        return summary
    }

    /// Compares one page of inputs of an app and the purchases that they are about, in a time that does not grow with
    /// the database.
    ///
    /// Differences that only a comparison of everything shows are not found: facts without evidence, and those of the
    /// index of transactions, of sold products and of unknown notifications.
    ///
    /// - Parameters:
    ///   - sequence: The sequence number before the page of inputs.
    ///   - report: Called with the differences of each page that has any.
    /// - Throws: ``OperationError`` with storage's codes, and what `report` throws.
    public func verifySample(
        of app: AppID,
        after sequence: Int64,
        report: ([RebuildDifference]) async throws(OperationError) -> Void
    ) async throws(OperationError) -> Summary {
        var summary = Summary()
        guard let inputs = try await evidence(of: app, after: sequence) else { return summary }
        summary.inputs = inputs.inputs
        summary.facts = inputs.facts
        try await note(inputs.differences, in: &summary, report)
        let named = Array(inputs.purchases.sorted().prefix(Self.purchasesPerPage))
        let pass = PurchasePass(app: app, after: nil, limit: named.count, policy: policy)
        let page = try await read { storage throws(StorageError) in try pass.run(storage, only: named) }
        summary.purchases = page.purchases
        try await note(page.differences, in: &summary, report)
        return summary
    }

    /// Compares the purchases whose facts are in question with their inputs.
    private func lookUp(
        _ balance: FactBalance,
        of app: AppID,
        in summary: inout Summary,
        _ report: ([RebuildDifference]) async throws(OperationError) -> Void
    ) async throws(OperationError) {
        var purchase: OriginalTransactionID?
        while true {
            let pass = OpenFactsPass(app: app, after: purchase, limit: Self.purchasesPerPage, policy: policy)
            let page = try await read { storage throws(StorageError) in try pass.run(storage, where: balance.isOpen) }
            guard let last = page.last else { return }
            purchase = last
            try await note(page.differences, in: &summary, report)
        }
    }

    func note(
        _ differences: [RebuildDifference],
        in summary: inout Summary,
        _ report: ([RebuildDifference]) async throws(OperationError) -> Void
    ) async throws(OperationError) {
        guard !differences.isEmpty else { return }
        summary.differences += differences.count
        try await report(differences)
    }

    /// A page of evidence; nil after the last. An input that cannot be restored is skipped and reported.
    private func evidence(
        of app: AppID,
        after sequence: Int64
    ) async throws(OperationError) -> EvidencePass.Result? {
        let pass = EvidencePass(app: app, sequence: sequence, limit: Self.inputsPerPage)
        do throws(StorageError) {
            return try await database.read { storage throws(StorageError) in try pass.run(storage) }
        } catch {
            guard error.code == .corrupt else { throw OperationError(error) }
        }
        var result = EvidencePass.Result()
        while result.inputs < Self.inputsPerPage {
            // Sequence numbers have no gaps.
            let next = (result.last ?? sequence) + 1
            let pass = EvidencePass(app: app, sequence: next - 1, limit: 1)
            do throws(StorageError) {
                let page = try await database.read { storage throws(StorageError) in try pass.run(storage) }
                guard page.last != nil else {
                    if result.last == nil { result.stored = page.stored }
                    break
                }
                result.found += page.found
                result.tally.add(page.tally)
                result.facts += page.facts
                result.purchases.formUnion(page.purchases)
                result.differences += page.differences
            } catch {
                guard error.code == .corrupt else { throw OperationError(error) }
                let id = try await read { storage throws(StorageError) in try storage.evidenceID(at: next, of: app) }
                result.addUnreadable(next, id, error)
            }
            result.last = next
            result.inputs += 1
        }
        return result
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(OperationError) -> Result {
        do { return try await database.read(body) } catch { throw OperationError(error) }
    }
}
