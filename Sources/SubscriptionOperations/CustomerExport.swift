public import SubscriptionCore
public import SubscriptionStorage

/// Everything that is kept about a customer, for the customer: subject access.
public struct CustomerExport: Hashable, Sendable {
    /// Signed inputs of one purchase, byte for byte.
    public struct Purchase: Hashable, Sendable {
        /// The purchase.
        public var id: OriginalTransactionID
        /// The inputs, in the order of commits.
        public var inputs: [EvidenceRecord]
        /// Who claimed it: this customer's claims only.
        public var claims: [ClaimRecord]
    }

    /// The customer as the server answers, with the evidence of each entitlement.
    public var view: CustomerView
    /// The customer's grants, ended ones too, oldest first.
    public var grants: [GrantState]
    /// The customer's story.
    public var timeline: [TimelineEntry]
    /// The customer's purchases, by identifier.
    public var purchases: [Purchase]
}

/// Gathers what is kept about a customer.
public struct CustomerExporting: Sendable {
    /// How many inputs are read at a time.
    private static let pageSize = 200

    private let database: any SubscriptionDatabase
    private let reading: CustomerReading
    private let timeline: CustomerTimeline
    private let granting: Granting

    /// Makes the use case.
    public init(
        database: any SubscriptionDatabase,
        reading: CustomerReading,
        timeline: CustomerTimeline,
        granting: Granting
    ) {
        self.database = database
        self.reading = reading
        self.timeline = timeline
        self.granting = granting
    }

    /// Everything about a customer now. Reading creates nothing.
    ///
    /// - Throws: ``OperationError`` `customer_not_found`, or storage's codes.
    public func export(_ id: CustomerID, app: AppID) async throws(OperationError) -> CustomerExport {
        let view = try await reading.customer(id, of: app, isExplained: true)
        let purchases: [CustomerExport.Purchase]
        do {
            purchases = try await database.read { storage throws(StorageError) in
                try storage.exportedPurchases(of: id, app: app, pageSize: Self.pageSize)
            }
        } catch {
            throw OperationError(error)
        }
        return CustomerExport(
            view: view,
            grants: try await granting.grants(of: id, app: app),
            timeline: try await timeline.entries(of: id, app: app),
            purchases: purchases
        )
    }
}

extension StorageReading {
    fileprivate func exportedPurchases(
        of customer: CustomerID,
        app: AppID,
        pageSize: Int
    ) throws(StorageError) -> [CustomerExport.Purchase] {
        var exported: [CustomerExport.Purchase] = []
        for purchase in try purchases(of: customer, app: app).map(\.id) {
            var inputs: [EvidenceRecord] = []
            var place: Int64 = 0
            while true {
                let page = try evidence(about: purchase, of: app, after: place, limit: pageSize)
                inputs += page.map(\.record)
                guard let last = page.last, page.count == pageSize else { break }
                place = last.sequence
            }
            let own = try claims(on: purchase, app: app).filter { $0.customerID == customer }
            exported.append(CustomerExport.Purchase(id: purchase, inputs: inputs, claims: own))
        }
        return exported
    }
}
