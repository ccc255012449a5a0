import AppStoreModel
import LocalAppStore

extension StoreAction {
    static let refunds: [StoreAction] = [
        StoreAction("refund", copies: 2) { driver in
            let id = try driver.refundable()
            return try driver.refund(id, reason: Int(driver.number(below: 2)))
        },
        StoreAction("refund: a part") { driver in
            let id = try driver.refundable()
            let percentage = 1_000 + Int(driver.number(below: 90_000))
            return try driver.refund(id, percentage: percentage)
        },
        StoreAction("refund: a family's purchase") { driver in
            let id = try driver.refundable { $0.productId == "home.monthly" || $0.productId == "lifetime" }
            return try driver.refund(id)
        },
        StoreAction("reverseRefund", copies: 2) { driver in
            let id = try driver.refundable { $0.expiresDate != nil }
            try driver.store.refund(transactionId: id)
            try driver.store.reverseRefund(transactionId: id)
            return id
        },
        StoreAction("reverseRefund: after a while") { driver in
            let id = try driver.transaction { $0.isPlain && $0.revocationDate != nil }.transactionId
            try driver.store.reverseRefund(transactionId: id)
            return id
        },
        StoreAction("requestRefund", copies: 2) { driver in
            let id = try driver.refundable()
            let reason = try driver.pick(ConsumptionRequestReason.documented)
            let receipt = try driver.store.requestRefund(transactionId: id, reason: reason)
            return "\(receipt.transactionId) \(receipt.requestedDate) \(receipt.isConsumptionRequested)"
        },
        StoreAction("declineRefund") { driver in
            let id = try driver.refundable { $0.type == .consumable }
            _ = try driver.store.requestRefund(transactionId: id, reason: .unintendedPurchase)
            try driver.store.declineRefund(transactionId: id)
            return id
        },
        StoreAction("refund: what the customer requested") { driver in
            let id = try driver.refundable { $0.expiresDate != nil }
            _ = try driver.store.requestRefund(transactionId: id, reason: .fulfillmentIssue)
            let request = ConsumptionRequest(
                customerConsented: true,
                deliveryStatus: .delivered,
                sampleContentProvided: false,
                refundPreference: .grantProrated
            )
            try driver.store.sendConsumptionInformation(transactionId: id, request: request)
            return try driver.refund(id)
        },
        StoreAction("sendConsumptionInformation", endpoint: .sendConsumptionInformation) { driver in
            let id = try driver.buy("coins", for: try driver.newAccount()).transactionId
            _ = try driver.store.requestRefund(transactionId: id, reason: .other)
            let request = ConsumptionRequest(
                customerConsented: true,
                deliveryStatus: .delivered,
                sampleContentProvided: true,
                consumptionPercentage: 50_000,
                refundPreference: .decline
            )
            try driver.store.sendConsumptionInformation(transactionId: id, request: request)
            return id
        },
        StoreAction("sendConsumptionInformationV1", endpoint: .sendConsumptionInformationV1) { driver in
            let id = try driver.buy("coins", for: try driver.newAccount()).transactionId
            let request = try ConsumptionRequestV1(json: version1Consumption)
            try driver.store.sendConsumptionInformationV1(transactionId: id, request: request)
            return id
        },
    ]

    private static let version1Consumption: JSONObject = [
        "customerConsented": true, "consumptionStatus": 1, "platform": 1, "sampleContentProvided": false,
        "deliveryStatus": 0, "appAccountToken": "", "accountTenure": 0, "playTime": 0, "lifetimeDollarsRefunded": 0,
        "lifetimeDollarsPurchased": 0, "userStatus": 0, "refundPreference": 0,
    ]
}

extension TwoYearsDriver {
    /// Refunds a transaction, and returns it with the part that was paid back.
    mutating func refund(_ id: String, reason: Int = 0, percentage: Int? = nil) throws -> String {
        let share = try store.refund(transactionId: id, reason: reason, percentage: percentage)
        return "\(id) \(share.map(String.init) ?? "not revoked")"
    }
}
