import AppStoreModel

/// Payloads of a subscription that started on day 0 and renews every 30 days.
enum Sample {
    static let original = "2000000000000001"
    static let day: Int64 = 86_400_000

    /// The time at the start of a day.
    static func time(_ day: Int64) -> Int64 { ServerFixture.now + day * Self.day }

    /// The transaction of a period, by its number. The first one has the original transaction identifier.
    static func period(
        _ number: Int64,
        signed day: Int64,
        _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
    ) -> JWSTransactionDecodedPayload {
        var payload = SignedApple.period(id: "200000000000000\(number + 1)", signedAt: time(day))
        payload.purchaseDate = time(30 * number)
        payload.originalPurchaseDate = time(0)
        payload.expiresDate = time(30 * number + 30)
        payload.transactionReason = number == 0 ? .purchase : .renewal
        change(&payload)
        return payload
    }

    /// The transaction of another purchase.
    static func purchase(
        _ type: ProductType,
        signed day: Int64,
        _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
    ) -> JWSTransactionDecodedPayload {
        var payload = SignedApple.period(
            id: "3000000000000001",
            original: "3000000000000001",
            signedAt: time(day)
        )
        payload.type = type
        if type != .autoRenewableSubscription {
            payload.productId = "another.product"
            payload.subscriptionGroupIdentifier = nil
            payload.expiresDate = nil
        }
        change(&payload)
        return payload
    }

    static func renewal(
        signed day: Int64,
        end: Int64 = 30,
        _ change: (inout JWSRenewalInfoDecodedPayload) -> Void = { _ in }
    ) -> JWSRenewalInfoDecodedPayload {
        var payload = JWSRenewalInfoDecodedPayload(
            originalTransactionId: original,
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: .on,
            signedDate: time(day),
            environment: .production
        )
        payload.renewalDate = time(end)
        change(&payload)
        return payload
    }
}
