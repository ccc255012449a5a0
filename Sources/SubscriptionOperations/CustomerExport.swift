public import SubscriptionCore
public import SubscriptionStorage

/// All stored data about a customer, for a subject access request.
public struct CustomerExport: Hashable, Sendable {
    /// What is stored about one purchase. Signed inputs are byte for byte.
    public struct Purchase: Hashable, Sendable {
        /// The purchase.
        public var id: OriginalTransactionID
        /// The inputs, in the order of commits.
        public var inputs: [EvidenceRecord]
        /// Who claimed it: this customer's claims only.
        public var claims: [ClaimRecord]
        /// What was reported about its consumption; nil if nothing was, and for purchases of others.
        public var consumption: ConsumptionReport?
        /// The customer's requests for money, and what the server sent Apple about them, newest first. Empty for
        /// purchases of others.
        public var refundRequests: [RefundRequest]
    }

    /// The customer as in API responses, with the evidence of each entitlement.
    public var view: CustomerView
    /// The customer's grants, ended ones too, oldest first.
    public var grants: [GrantState]
    /// The customer's timeline.
    public var timeline: [TimelineEntry]
    /// The customer's purchases, by identifier.
    public var purchases: [Purchase]
    /// The receipts that were submitted for the customer, in order of time.
    public var receipts: [ReceiptRecord]
}

/// Exports the stored data about a customer.
public struct CustomerExporting: Sendable {
    /// How many inputs are read at a time.
    private static let pageSize = 200

    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy, time: any TimeSource) {
        self.database = database
        self.policy = policy
        self.time = time
    }

    /// Exports a customer from one read transaction. It writes nothing.
    ///
    /// - Throws: ``OperationError`` `customer_not_found`, or storage's codes.
    public func export(_ id: CustomerID, app: AppID) async throws(OperationError) -> CustomerExport {
        let clock = time.reading
        let now = clock.now
        let export: CustomerExport?
        do {
            export = try await database.read { [policy] storage throws(StorageError) in
                guard let holdings = try storage.holdings(named: id, app: app) else { return nil }
                let view = try storage.view(
                    of: holdings,
                    app: app,
                    past: nil,
                    clock: clock,
                    policy: policy,
                    isExplained: true
                )
                return CustomerExport(
                    view: view,
                    grants: try storage.grants(of: view.customer.id, app: app).map { $0.state.grant.state(at: now) }
                        .sorted { ($0.grant.grantedAt, $0.grant.id) < ($1.grant.grantedAt, $1.grant.id) },
                    timeline: try storage.timeline(
                        of: view.customer,
                        app: app,
                        until: now,
                        policy: policy,
                        namesOthers: false
                    ),
                    purchases: try storage.exportedPurchases(of: view.customer, app: app, pageSize: Self.pageSize),
                    receipts: try storage.exportedReceipts(of: view.customer, app: app)
                )
            }
        } catch {
            throw OperationError(error)
        }
        guard let export else { throw .customerNotFound }
        return export
    }
}

extension StorageReading {
    fileprivate func exportedReceipts(of customer: CustomerRecord, app: AppID) throws(StorageError) -> [ReceiptRecord] {
        var receipts: [ReceiptRecord] = []
        for name in [customer.id] + customer.profile.aliases { receipts += try self.receipts(of: name, app: app) }
        return receipts.sorted { ($0.receivedAt, $0.id) < ($1.receivedAt, $1.id) }
    }

    fileprivate func exportedPurchases(
        of customer: CustomerRecord,
        app: AppID,
        pageSize: Int
    ) throws(StorageError) -> [CustomerExport.Purchase] {
        let names = Set([customer.id] + customer.profile.aliases)
        var exported: [CustomerExport.Purchase] = []
        for purchase in try purchases(of: customer.id, app: app) {
            let id = purchase.id
            var inputs: [EvidenceRecord] = []
            var sequence: Int64 = 0
            while true {
                let page = try evidence(about: id, of: app, after: sequence, limit: pageSize)
                inputs += page.map(\.record)
                guard let last = page.last, page.count == pageSize else { break }
                sequence = last.sequence
            }
            let own = try claims(on: id, app: app).filter { names.contains($0.customerID) }
            let report = try consumptionReport(on: id, app: app)
            let isOwn = purchase.customerID == customer.id
            exported.append(
                CustomerExport.Purchase(
                    id: id,
                    inputs: inputs,
                    claims: own,
                    consumption: isOwn ? report : nil,
                    refundRequests: isOwn
                        ? try refundRequests(about: id, app: app, limit: RefundRequests.listedMax) : []
                )
            )
        }
        return exported
    }
}
