public import AppStoreSigning
public import SubscriptionCore
public import SubscriptionStorage

/// Finds out whether extensions were made whose answer was lost, and gets the new end of those that were.
///
/// It asks Apple for the transaction of the period, 1, 5, 15 and 60 minutes after the request. Apple's announcement
/// ends the checks earlier. A check without an answer is repeated for two weeks. Any number of servers may do it: each
/// takes some extensions for a while.
public struct ExtensionChecks: Sendable {
    /// When the end of the period is checked after the request.
    ///
    /// - Units: milliseconds.
    static let delays: [Int64] = [60_000, 300_000, 900_000, 3_600_000]
    /// How long a server has a taken extension, and how long a failed check waits.
    private static let takenMilliseconds: Int64 = 120_000
    /// The number of extensions that are taken together.
    private static let batchSize = 20

    /// The order of a member that waits for it.
    private struct AwaitedOrder: Sendable {
        let order: MassExtensionOrder
        /// Whether it may have extended the member without moving the end of its period.
        let mayBeInPlace: Bool
    }

    private let intake: FactIntake
    private let inquiry: StatusInquiry
    private let access: AppStoreAccess

    private var database: any SubscriptionDatabase { intake.database }
    private var time: any TimeSource { intake.time }

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - verifier: The verifier with the trusted roots and the configured apps.
    ///   - access: The clients of the App Store Server API.
    public init(
        database: any SubscriptionDatabase,
        verifier: SignedDataVerifier,
        access: AppStoreAccess,
        policy: AccessPolicy,
        time: any TimeSource,
        metrics: IntakeMetrics = IntakeMetrics()
    ) {
        intake = FactIntake(database: database, policy: policy, time: time)
        inquiry = StatusInquiry(verifier: verifier, access: access, metrics: metrics, time: time)
        self.access = access
    }

    /// Checks every extension that is due.
    ///
    /// - Throws: ``OperationError``: the last failure of a query, after all were made, or storage's codes.
    public func settle() async throws(OperationError) {
        guard time.dispute == nil else { return }
        var failure: OperationError?
        do {
            let apps = try await database.read { storage throws(StorageError) in try storage.apps().map(\.id) }
            for app in apps where access.hasEntry(of: app) {
                while !Task.isCancelled {
                    let due = try await take(app)
                    guard !due.isEmpty else { break }
                    for row in due { failure = try await check(row, app: app) ?? failure }
                }
            }
        } catch {
            throw OperationError(error)
        }
        if let failure { throw failure }
    }

    /// Takes some of the due extensions, so that no other server checks them at the same time.
    private func take(_ app: AppID) async throws(StorageError) -> [RenewalExtension] {
        let now = time.now()
        let due = try await database.read { storage throws(StorageError) in
            try storage.renewalExtensions(toCheckUntil: now, app: app, limit: Self.batchSize)
        }
        guard !due.isEmpty else { return [] }
        return try await database.write { storage throws(StorageError) in
            try storage.lockPurchases(of: due, app: app)
            var taken: [RenewalExtension] = []
            for row in due {
                guard var row = try storage.locked(row, app: app), row.checkAt.map({ $0 <= now }) ?? false else {
                    continue
                }
                row.checkAt = now.adding(milliseconds: Self.takenMilliseconds)
                try storage.save(row, of: app)
                taken.append(row)
            }
            return taken
        }
    }

    /// Asks Apple for the transaction, and stores what its end shows.
    ///
    /// - Returns: Why Apple gave no answer; then the extension is checked again when its time is over, until it was
    ///   checked for too long.
    private func check(_ row: RenewalExtension, app: AppID) async throws(StorageError) -> OperationError? {
        var inputs: [VerifiedInput] = []
        var failure: OperationError?
        do throws(OperationError) {
            // A member of an order may have been renewed: its newest period is needed.
            let found =
                row.state == .ordered
                ? try await inquiry.subscriptions(of: row.purchaseID, app: app)
                : try await inquiry.transaction(row.transactionID, app: app)
            inputs = [found.input(of: app, claimedBy: nil, by: nil)]
        } catch  where error.isAnswer {
            // Apple does not know the transaction: nothing changed.
        } catch {
            guard row.isCheckedTooLong(at: time.now()) else { return error }
            failure = error
        }
        let now = time.now()
        let hasAnswer = failure == nil
        let awaited = try await awaitedOrder(of: row, app: app)
        try await intake.take(together: inputs) { _, storage throws(StorageError) in
            guard var row = try storage.locked(row, app: app), row.checkAt != nil else { return }
            let known = try storage.renewalExtensions(of: row.purchaseID, app: app, limit: Extending.listedMax)
            let others = known.filter { $0.id != row.id }
            let ledger = try storage.ledger(of: row.purchaseID, app: app)
            if try storage.takeOrderAnnouncement(for: &row, of: awaited?.order, among: known, app: app) {
                row.checks += 1
            } else if hasAnswer {
                let mayBeInPlace = awaited?.mayBeInPlace ?? false
                row.noteCheck(ledger, others: others, mayBeInPlace: mayBeInPlace, app: app, at: now)
            } else {
                row.noteNoAnswer(ledger)
            }
            try storage.save(row, of: app)
        }
        return failure
    }

    /// The order that an extension waits for; nil if there is none.
    ///
    /// It is read before the purchase is locked, because the work of a campaign locks the campaign first.
    private func awaitedOrder(of row: RenewalExtension, app: AppID) async throws(StorageError) -> AwaitedOrder? {
        guard row.state == .ordered, let id = row.campaignID, let product = row.productID else { return nil }
        return try await database.read { storage throws(StorageError) -> AwaitedOrder? in
            guard let order = try storage.massExtensionOrder(of: id, for: product, app: app) else { return nil }
            let members = try storage.extensionCampaign(id, of: app)?.enlisted.products[product.rawValue]
            let mayBeInPlace = members.map { order.mayHaveExtendedInPlace($0, in: app.environment) } ?? false
            return AwaitedOrder(order: order, mayBeInPlace: mayBeInPlace)
        }
    }
}

extension ExtensionChecks: SettledWork {
    /// What a failure means.
    public static let failed = "Extensions without an answer were not checked"
}

extension StorageWriting {
    /// Takes the locks of the purchases of some extensions, all together and in the same order as the intake.
    func lockPurchases(of rows: [RenewalExtension], app: AppID) throws(StorageError) {
        _ = try renewalExtensions(of: rows.map(\.purchaseID), app: app, limit: 1)
    }

    /// The present row of an extension. The look-up by purchase takes the lock of the purchase.
    func locked(_ row: RenewalExtension, app: AppID) throws(StorageError) -> RenewalExtension? {
        _ = try renewalExtensions(of: row.purchaseID, app: app, limit: 1)
        return try renewalExtension(row.id, of: app)
    }
}
