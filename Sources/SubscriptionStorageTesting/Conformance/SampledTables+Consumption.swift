import SubscriptionCore
import SubscriptionStorage

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
