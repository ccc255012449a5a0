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
        CampaignCountChange.self,
        ConsumptionReport.self, RefundRequest.self,
        Refund.self, RefundProgress.self, RequestedRefund.self,
        WebhookDelivery.self, WebhookEndpoint.self, WebhookProgress.self, WebhookSecret.self,
        OperatorAccount.self, OperatorKey.self,
    ]

    /// One of two customers whose identifiers are canonically equivalent and have different bytes.
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
