import SubscriptionCore
import SubscriptionStorage

/// A record with sample values for the checks.
protocol SampledRecord: TableRecord, Equatable {
    /// Makes a sample. Some numbers give equal values, so that indexes have several rows with the same key.
    static func sample(_ number: Int) -> Self
}

/// Samples of every table with a description.
enum SampledTables {
    static let all: [any SampledRecord.Type] = [
        APIKeyRecord.self, APIKeyUse.self, AppRecord.self, AppSettings.self, AuditEntry.self, AuditHead.self,
        IdempotencyRecord.self,
        Lease.self, ListedProduct.self, NotificationHour.self, PollingProgress.self, ReceiptRecord.self,
        RecoveryProgress.self, RecoveryWindow.self, RefusedClaim.self, SigningKeyRecord.self, SoldProduct.self,
        RenewalExtension.self, StatusPoll.self, TransferRecord.self, ExtensionCampaign.self, MassExtensionOrder.self,
        ConsumptionReport.self, RefundRequest.self,
        Refund.self, RefundProgress.self, RequestedRefund.self,
        WebhookDelivery.self, WebhookEndpoint.self, WebhookProgress.self, WebhookSecret.self,
        OperatorAccount.self, OperatorKey.self,
    ]

    /// Two texts that are canonically equivalent and have different bytes.
    static func customer(_ number: Int) -> CustomerID {
        CustomerID(number.isMultiple(of: 2) ? "\u{e9}" : "e\u{301}")
    }
}

extension AppRecord: SampledRecord {
    static func sample(_ number: Int) -> AppRecord {
        AppRecord(
            bundleID: "com.example.\(number % 7)",
            environment: number.isMultiple(of: 2) ? .production : .sandbox,
            appleID: number.isMultiple(of: 3) ? nil : Int64(number)
        )
    }
}

extension AppSettings: SampledRecord {
    static func sample(_ number: Int) -> AppSettings {
        AppSettings(transferPolicy: TransferPolicy.allCases[number % TransferPolicy.allCases.count])
    }
}

extension IdempotencyRecord: SampledRecord {
    static func sample(_ number: Int) -> IdempotencyRecord {
        IdempotencyRecord(
            key: "key \(number % 17)",
            requestDigest: [UInt8(number % 256), 0, 255],
            startedAt: Samples.time(Int64(number % 3)),
            leasedAt: number.isMultiple(of: 2) ? Samples.time(9) : nil,
            answer: number.isMultiple(of: 3) ? nil : Answer(status: 200, body: [0, 1]),
            customers: (0..<number % 3).map { SampledTables.customer($0 + number) }
        )
    }
}

extension ListedProduct: SampledRecord {
    static func sample(_ number: Int) -> ListedProduct {
        ListedProduct(
            id: ProductID("pro.\(number % 17)"),
            kind: .autoRenewable,
            groupID: number.isMultiple(of: 2) ? SubscriptionGroupID("group") : nil,
            name: number.isMultiple(of: 3) ? "Pro \(number)" : nil
        )
    }
}

extension ReceiptRecord: SampledRecord {
    static func sample(_ number: Int) -> ReceiptRecord {
        ReceiptRecord(
            id: EvidenceID("receipt:\(number % 11)"),
            customerID: SampledTables.customer(number),
            receivedAt: Samples.time(Int64(number % 3)),
            content: [UInt8(number % 256), 0]
        )
    }
}

extension RefusedClaim: SampledRecord {
    static func sample(_ number: Int) -> RefusedClaim {
        let claim = ClaimRecord(
            purchaseID: OriginalTransactionID("\(number % 7)"),
            customerID: SampledTables.customer(number),
            evidenceID: EvidenceID("transaction:\(number)"),
            claimedAt: Samples.time(Int64(number % 3)),
            policy: .keep
        )
        return RefusedClaim(of: claim, because: .accountToken, droppedBefore: Int64(number))
    }
}

extension SigningKeyRecord: SampledRecord {
    static func sample(_ number: Int) -> SigningKeyRecord {
        SigningKeyRecord(
            id: "\(number % 17)",
            privateKey: number.isMultiple(of: 2) ? [1, 2] : nil,
            publicKey: [UInt8(number % 256)],
            createdAt: Samples.time(Int64(number % 3)),
            retiredAt: number.isMultiple(of: 2) ? nil : Samples.time(5)
        )
    }
}

extension SoldProduct: SampledRecord {
    static func sample(_ number: Int) -> SoldProduct {
        SoldProduct(
            id: ProductID("pro.\(number % 17)"),
            kind: .autoRenewable,
            groupID: number.isMultiple(of: 2) ? SubscriptionGroupID("group") : nil
        )
    }
}

extension TransferRecord: SampledRecord {
    static func sample(_ number: Int) -> TransferRecord {
        TransferRecord(
            id: TransferID("tr_\(number % 17)"),
            from: number.isMultiple(of: 3) ? nil : SampledTables.customer(number),
            to: number.isMultiple(of: 5) ? nil : SampledTables.customer(number + 1),
            reason: number.isMultiple(of: 2) ? nil : "asked",
            items: (0..<number % 3).map { Item(purchaseID: OriginalTransactionID("\($0)"), claim: .submitted) },
            createdAt: Samples.time(Int64(number % 4)),
            undoneAt: number.isMultiple(of: 4) ? Samples.time(9) : nil
        )
    }
}

extension Lease: SampledRecord {
    static func sample(_ number: Int) -> Lease {
        Lease(work: "work \(number % 5)", holder: "server \(number % 3)", expiresAt: Samples.time(Int64(number)))
    }
}

extension NotificationHour: SampledRecord {
    static func sample(_ number: Int) -> NotificationHour {
        NotificationHour(startsAt: Samples.time(Int64(number % 7)), count: number)
    }
}

extension PollingProgress: SampledRecord {
    static func sample(_ number: Int) -> PollingProgress {
        PollingProgress(
            filledThrough: number.isMultiple(of: 3) ? nil : OriginalTransactionID("\(number)"),
            isFilled: number.isMultiple(of: 2),
            wantsHistories: !number.isMultiple(of: 5)
        )
    }
}

extension StatusPoll: SampledRecord {
    static func sample(_ number: Int) -> StatusPoll {
        StatusPoll(
            dueAt: Samples.time(Int64(number % 4)),
            purchaseID: OriginalTransactionID("\(number % 7)"),
            failures: number % 3,
            wantsHistory: number.isMultiple(of: 2),
            omitsEvents: number.isMultiple(of: 4)
        )
    }
}

extension RenewalExtension: SampledRecord {
    static func sample(_ number: Int) -> RenewalExtension {
        var row = RenewalExtension(
            id: RenewalExtensionID(rawValue: "extension \(number % 19)"),
            purchaseID: OriginalTransactionID("\(number % 7)"),
            origin: Origin.allCases[number % 3],
            createdAt: Samples.time(Int64(number % 5)),
            state: State.allCases[number % 7],
            transactionID: TransactionID("\(number % 11)"),
            previousEnd: number.isMultiple(of: 3) ? nil : Samples.time(Int64(number))
        )
        row.days = number.isMultiple(of: 2) ? nil : number % 90
        row.reason = number.isMultiple(of: 5) ? nil : Reason.allCases[number % 4]
        row.newEnd = number.isMultiple(of: 7) ? nil : Samples.time(Int64(number) + 1)
        row.announcedAt = number.isMultiple(of: 2) ? nil : Samples.time(Int64(number) + 2)
        row.checkAt = number.isMultiple(of: 3) ? Samples.time(Int64(number % 4)) : nil
        row.checks = number % 4
        row.failure =
            number.isMultiple(of: 4) ? StoredFailure(code: "code \(number)", message: "Message \(number).") : nil
        row.campaignID = number.isMultiple(of: 3) ? nil : ExtensionCampaignID(rawValue: "campaign \(number % 5)")
        row.productID = number.isMultiple(of: 4) ? nil : ProductID("product.\(number % 3)")
        row.countedAs = number.isMultiple(of: 2) ? row.result : nil
        return row
    }
}

extension MassExtensionOrder: SampledRecord {
    static func sample(_ number: Int) -> MassExtensionOrder {
        var order = MassExtensionOrder(
            campaignID: ExtensionCampaignID(rawValue: "campaign \(number % 5)"),
            productID: ProductID("product.\(number % 3)"),
            requestID: "request \(number % 7)"
        )
        order.state = State.allCases[number % 4]
        order.acceptedAt = number.isMultiple(of: 2) ? nil : Samples.time(Int64(number))
        order.checkAt = number.isMultiple(of: 3) ? nil : Samples.time(Int64(number) + 1)
        order.checks = number % 6
        order.completedAt = number.isMultiple(of: 5) ? Samples.time(Int64(number) + 2) : nil
        order.succeeded = number.isMultiple(of: 5) ? number : nil
        order.failed = number.isMultiple(of: 5) ? number + 1 : nil
        order.summaryAt = number.isMultiple(of: 7) ? Samples.time(Int64(number) + 3) : nil
        order.failure = number.isMultiple(of: 4) ? StoredFailure(code: "code", message: "Message.") : nil
        return order
    }
}

extension ExtensionCampaign: SampledRecord {
    static func sample(_ number: Int) -> ExtensionCampaign {
        let window = Window(from: Samples.time(Int64(number)), to: Samples.time(Int64(number) + 1))
        let terms = Terms(
            productIDs: (0...number % 3).map { ProductID("product.\($0)") },
            storefronts: number.isMultiple(of: 2) ? nil : ["USA", "DEU"],
            days: 1 + number % 90,
            reason: RenewalExtension.Reason.allCases[number % 4],
            window: number.isMultiple(of: 3) ? window : nil,
            method: number.isMultiple(of: 5) ? nil : Method.allCases[number % 2]
        )
        var campaign = ExtensionCampaign(
            id: ExtensionCampaignID(rawValue: "campaign \(number % 17)"),
            createdAt: Samples.time(Int64(number % 5)),
            terms: terms,
            draftedBy: "digest \(number)"
        )
        campaign.state = State.allCases[number % 5]
        if !number.isMultiple(of: 4) {
            var run = DryRun(startedAt: Samples.time(Int64(number)))
            run.finishedAt = number.isMultiple(of: 3) ? nil : Samples.time(Int64(number) + 1)
            run.through = number.isMultiple(of: 5) ? nil : OriginalTransactionID("\(number)")
            run.counts = counts(number)
            campaign.dryRun = run
        }
        campaign.approvedAt = number.isMultiple(of: 2) ? nil : Samples.time(Int64(number))
        campaign.startedAt = number.isMultiple(of: 3) ? nil : Samples.time(Int64(number))
        campaign.endedAt = number.isMultiple(of: 5) ? nil : Samples.time(Int64(number))
        campaign.enlistedThrough = number.isMultiple(of: 2) ? nil : OriginalTransactionID("\(number)")
        campaign.isCounting = number.isMultiple(of: 3)
        campaign.isEnlisted = number.isMultiple(of: 7)
        campaign.enlisted = counts(number + 1)
        campaign.members = number.isMultiple(of: 3) ? [:] : ["extended": number, "refused:extension_expired": 1]
        campaign.pauses = number % 4
        campaign.retryAt = number.isMultiple(of: 2) ? Samples.time(Int64(number)) : nil
        campaign.failure = number.isMultiple(of: 6) ? StoredFailure(code: "code", message: "Message.") : nil
        return campaign
    }

    private static func counts(_ number: Int) -> CampaignCounts {
        var counts = CampaignCounts()
        counts.eligible = number
        counts.ineligible = number.isMultiple(of: 2) ? [:] : ["expired": 1, "limit_reached": number]
        counts.products = ["product.1": number, "a product\n100% odd": 1, "": 2]
        counts.storefronts = number.isMultiple(of: 3) ? [:] : ["USA": number]
        counts.renewals = ["USD": 9_990 * number]
        return counts
    }
}

extension RecoveryProgress: SampledRecord {
    static func sample(_ number: Int) -> RecoveryProgress {
        RecoveryProgress(
            sweptUntil: number.isMultiple(of: 2) ? nil : Samples.time(Int64(number)),
            comparedUntil: number.isMultiple(of: 3) ? nil : Samples.time(Int64(number)),
            quietSince: number.isMultiple(of: 5) ? nil : Samples.time(Int64(number))
        )
    }
}

extension RecoveryWindow: SampledRecord {
    static func sample(_ number: Int) -> RecoveryWindow {
        var window = RecoveryWindow(
            id: RecoveryWindowID(rawValue: "rw_\(number % 17)"),
            createdAt: Samples.time(Int64(number % 4)),
            from: Samples.time(Int64(number % 3)),
            to: Samples.time(Int64(number)),
            onlyFailures: number.isMultiple(of: 2),
            reason: number.isMultiple(of: 3) ? .start : .request
        )
        window.page = number.isMultiple(of: 4) ? nil : "Sandbox:page \(number)"
        window.counts.sent = number
        window.counts.held = number % 5
        window.counts.recovered = number % 7
        window.counts.retrying = number % 2
        window.counts.refused = number % 3
        window.counts.missing = number % 11
        if number % 3 > 0 { window.problems = ["signature_invalid": number % 3, "payload_malformed": 1] }
        window.recoveredBefore = number % 13
        window.restarts = number % 2
        window.failures = number % 6
        if number.isMultiple(of: 5) {
            window.retryAt = Samples.time(Int64(number))
            window.failure = StoredFailure(code: "app_store_unavailable", message: "It did not answer.")
        }
        if number.isMultiple(of: 4) {
            window.state = .finished
            window.finishedAt = Samples.time(Int64(number))
        }
        return window
    }
}

extension ConsumptionReport: SampledRecord {
    static func sample(_ number: Int) -> ConsumptionReport {
        ConsumptionReport(
            purchaseID: OriginalTransactionID("\(number % 17)"),
            customerID: number.isMultiple(of: 2) ? nil : SampledTables.customer(number),
            consents: number.isMultiple(of: 3) ? nil : number.isMultiple(of: 2),
            delivery: number.isMultiple(of: 5) ? nil : .undeliveredServerOutage,
            percentage: number.isMultiple(of: 2) ? nil : number,
            sampleProvided: number.isMultiple(of: 4) ? nil : true,
            updatedAt: Samples.time(Int64(number % 3))
        )
    }
}

extension RefundRequest: SampledRecord {
    static func sample(_ number: Int) -> RefundRequest {
        var request = RefundRequest(
            id: RefundRequestID(rawValue: "n\(number % 17)"),
            purchaseID: OriginalTransactionID("\(number % 7)"),
            transactionID: TransactionID("\(number % 11)"),
            productID: ProductID("pro.\(number % 3)"),
            reason: number.isMultiple(of: 2) ? nil : "legal",
            requestedAt: Samples.time(Int64(number % 3))
        )
        request.state = State.allCases[number % State.allCases.count]
        request.checkAt = number.isMultiple(of: 2) ? nil : Samples.time(Int64(number % 5))
        request.attempts = number % 3
        guard number.isMultiple(of: 3) else { return request }
        var facts = ConsumptionFacts(
            productID: request.productID,
            kind: .consumable,
            ownership: .purchased,
            purchasedAt: Samples.time(1),
            requestedAt: request.requestedAt,
            reason: request.reason
        )
        facts.consents = true
        facts.percentage = number
        facts.spending.payments = 2
        facts.spending.paid = ["USD": number, "EUR": 1]
        request.facts = facts
        request.answer = .grantProrated
        request.rule = number % 4
        request.version = 2
        request.settledAt = Samples.time(7)
        request.failure = StoredFailure(code: "no_consent", message: "why")
        request.outcome = .refunded
        request.decidedAt = Samples.time(8)
        return request
    }
}
