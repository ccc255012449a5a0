import SubscriptionCore
import SubscriptionStorage

extension Refund: SampledRecord {
    static func sample(_ number: Int) -> Refund {
        let kinds: [Revocation.Kind] = [.refund, .proratedRefund]
        var refund = Refund(
            transactionID: TransactionID("\(number % 11)"),
            purchaseID: OriginalTransactionID("\(number % 7)"),
            productID: ProductID("product.\(number % 3)"),
            purchasedAt: Samples.time(Int64(number % 9)),
            revocation: Revocation(
                at: Samples.time(Int64(number % 4)),
                kind: kinds[number % 2],
                reason: number.isMultiple(of: 3) ? nil : number % 2,
                percentage: number.isMultiple(of: 5) ? nil : number
            ),
            statedAt: Samples.time(Int64(number))
        )
        refund.storefront = number.isMultiple(of: 4) ? nil : "USA"
        refund.price = number.isMultiple(of: 6) ? nil : Money(milliunits: Int64(number), currency: "USD")
        refund.reversedAt = number.isMultiple(of: 2) ? nil : Samples.time(Int64(number) + 1)
        return refund
    }
}

extension RequestedRefund: SampledRecord {
    static func sample(_ number: Int) -> RequestedRefund {
        RequestedRefund(
            transactionID: TransactionID("\(number % 11)"),
            purchaseID: OriginalTransactionID("\(number % 7)"),
            requestedAt: number.isMultiple(of: 3) ? nil : Samples.time(Int64(number)),
            reason: number.isMultiple(of: 2) ? nil : "unintended_purchase",
            declinedAt: number.isMultiple(of: 5) ? Samples.time(Int64(number) + 1) : nil
        )
    }
}

extension RefundProgress: SampledRecord {
    static func sample(_ number: Int) -> RefundProgress {
        RefundProgress(
            purchasesThrough: number.isMultiple(of: 3) ? nil : OriginalTransactionID("\(number)"),
            eventsThrough: Int64(number),
            isFilled: number.isMultiple(of: 2)
        )
    }
}
