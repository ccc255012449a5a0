import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Takes what the developer's backend reports about the consumption of purchases.
public struct ConsumptionReporting: Sendable {
    /// A report without its purchase and time.
    public struct Content: Hashable, Sendable {
        /// Whether the customer agreed that Apple gets consumption data.
        public var consents: Bool?
        /// Whether the customer received a working purchase.
        public var delivery: ConsumptionFacts.Delivery?
        /// The consumed part, in thousandths of a percent.
        public var percentage: Int?
        /// Whether the customer could try it before.
        public var sampleProvided: Bool?

        /// Makes a report.
        public init(
            consents: Bool? = nil,
            delivery: ConsumptionFacts.Delivery? = nil,
            percentage: Int? = nil,
            sampleProvided: Bool? = nil
        ) {
            self.consents = consents
            self.delivery = delivery
            self.percentage = percentage
            self.sampleProvided = sampleProvided
        }
    }

    private let database: any SubscriptionDatabase
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, time: any TimeSource) {
        self.database = database
        self.time = time
    }

    /// What was reported about a purchase.
    ///
    /// - Parameter id: The purchase, or any of its transactions.
    /// - Throws: ``OperationError`` `purchase_unknown`, `consumption_not_reported`, or storage's codes.
    public func report(on id: TransactionID, app: AppID) async throws(OperationError) -> ConsumptionReport {
        let found: Result<ConsumptionReport, OperationError>
        do {
            found = try await database.read { storage throws(StorageError) in
                guard let purchase = try storage.purchases(named: id, app: app).first else {
                    return .failure(.purchaseUnknown)
                }
                guard let report = try storage.consumptionReport(on: purchase, app: app) else {
                    return .failure(.consumptionNotReported)
                }
                return .success(report)
            }
        } catch {
            throw OperationError(error)
        }
        return try found.get()
    }

    /// Replaces what was reported about a purchase. Refund requests that wait are answered with it.
    ///
    /// - Parameters:
    ///   - id: The purchase, or any of its transactions.
    ///   - who: The key, or the person. The audit log has each change of consent.
    ///   - isPerson: Whether a person reports. The audit log has the rest of the report then; a backend reports all the
    ///     time.
    /// - Throws: ``OperationError`` `purchase_unknown`, `consumption_percentage_invalid`, or storage's codes.
    public func save(
        _ content: Content,
        on id: TransactionID,
        app: AppID,
        by who: Operator,
        isPerson: Bool
    ) async throws(OperationError) -> ConsumptionReport {
        let now = time.now()
        let saved: Result<ConsumptionReport, OperationError>
        do {
            saved = try await database.write { storage throws(StorageError) in
                guard let purchase = try storage.purchases(named: id, app: app).first else {
                    return .failure(.purchaseUnknown)
                }
                let waiting = try storage.refundRequests(about: purchase, app: app, limit: RefundRequests.listedMax)
                let ledger = try storage.ledger(of: purchase, app: app)
                if let problem = content.problem(for: ledger.timeline.last?.kind) { return .failure(problem) }
                let known = try storage.consumptionReport(on: purchase, app: app)
                var report = ConsumptionReport(
                    purchaseID: purchase,
                    customerID: try storage.purchase(purchase, of: app)?.customerID,
                    consents: content.consents,
                    delivery: content.delivery,
                    percentage: content.percentage,
                    sampleProvided: content.sampleProvided,
                    updatedAt: known?.updatedAt ?? now
                )
                // A repeated report changes nothing, and makes nothing due.
                guard report != known else { return .success(report) }
                report.updatedAt = now
                try storage.auditConsent(in: report, insteadOf: known, by: who, app: app, at: now)
                if isPerson { try storage.audit(report, insteadOf: known, by: who, app: app, at: now) }
                try storage.save(report, of: app)
                for var request in waiting where request.state == .waiting {
                    request.noteReport(consents: report.consents, at: now)
                    try storage.save(request, of: app)
                }
                return .success(report)
            }
        } catch {
            throw OperationError(error)
        }
        return try saved.get()
    }
}

extension StorageWriting {
    /// Writes a change of the customer's consent into the audit log. It has an entry of its own, because somebody may
    /// have to account for it.
    fileprivate func auditConsent(
        in report: ConsumptionReport,
        insteadOf known: ConsumptionReport?,
        by who: Operator,
        app: AppID,
        at now: Timestamp
    ) throws(StorageError) {
        guard known?.consents != report.consents else { return }
        try audit(
            .consentRecorded,
            .purchase(report.purchaseID),
            by: who,
            app: app,
            at: now,
            before: AuditedValue(["customer_consented": known?.consents.map { .bool($0) }]),
            after: AuditedValue(["customer_consented": report.consents.map { .bool($0) }])
        )
    }

    /// Writes what else a report changes into the audit log.
    fileprivate func audit(
        _ report: ConsumptionReport,
        insteadOf known: ConsumptionReport?,
        by who: Operator,
        app: AppID,
        at now: Timestamp
    ) throws(StorageError) {
        let (before, after) = (known.map { AuditedValue(reported: $0) }, AuditedValue(reported: report))
        guard before?.json ?? "{}" != after.json else { return }
        try audit(
            .consumptionReported,
            .purchase(report.purchaseID),
            by: who,
            app: app,
            at: now,
            before: before,
            after: after
        )
    }
}

extension AuditedValue {
    /// What was reported about a purchase itself.
    fileprivate init(reported report: ConsumptionReport) {
        self.init([
            "delivery_status": report.delivery.map { .string($0.rawValue) },
            "consumption_percentage": report.percentage.map { .integer(Int64($0)) },
            "sample_content_provided": report.sampleProvided.map { .bool($0) },
        ])
    }
}

extension ConsumptionReporting.Content {
    /// What is wrong with a percentage; nil if nothing is.
    fileprivate func problem(for kind: ProductKind?) -> OperationError? {
        guard let percentage else { return nil }
        if kind == .autoRenewable {
            return .percentage("Apple computes the used part of a subscription itself. Leave it out.")
        }
        guard (0...ConsumptionFacts.percentageMax).contains(percentage) else {
            return .percentage("Give thousandths of a percent, from 0 to \(ConsumptionFacts.percentageMax).")
        }
        guard percentage == 0 || delivery ?? .delivered == .delivered else {
            return .percentage("A purchase that was not delivered cannot be consumed. Leave it out, or give 0.")
        }
        return nil
    }
}

extension OperationError {
    fileprivate static func percentage(_ message: String) -> OperationError {
        OperationError(
            "consumption_percentage_invalid",
            "consumption_percentage is not possible here. \(message)",
            kind: .invalidRequest,
            parameter: "consumption_percentage"
        )
    }

    fileprivate static let consumptionNotReported = OperationError(
        "consumption_not_reported",
        "Nothing was reported about the consumption of this purchase. Report it with PUT.",
        kind: .notFound,
        parameter: "id"
    )
}
