import AppStoreModel
import Testing

@Suite struct `A typed payload` {
    @Test func `a transaction has every field under its name`() throws {
        let payload = try JWSTransactionDecodedPayload(jsonBytes: Array(EveryField.transaction.utf8))
        #expect(payload.transactionId == "2000000000000002")
        #expect(payload.type == .autoRenewableSubscription)
        #expect(payload.inAppOwnershipType == .purchased)
        #expect(payload.revocationType == .proratedRefund)
        #expect(payload.offerType == .promotional)
        #expect(payload.offerDiscountType == .payAsYouGo)
        #expect(payload.transactionReason == .renewal)
        #expect(payload.environment == .production)
        #expect(payload.advancedCommerceInfo?.items?.first?.sku == "one")
        #expect(payload.advancedCommerceInfo?.items?.first?.offer?.period == .nineMonths)
        #expect(payload.advancedCommerceInfo?.items?.first?.refunds?.first?.refundType == .custom)
        #expect(payload.commitmentInfo?.totalBillingPeriods == 12)
        #expect(payload.multiSeatInfo?.priceTiers?.map(\.quantity) == [2, 1])
        #expect(payload.additionalTransactionReason == .seatAddition)
        #expect(payload.unknownFields.isEmpty)
    }

    @Test func `renewal information has every field under its name`() throws {
        let payload = try JWSRenewalInfoDecodedPayload(jsonBytes: Array(EveryField.renewalInfo.utf8))
        #expect(payload.autoRenewStatus == .on)
        #expect(payload.expirationIntent == .billingError)
        #expect(payload.priceIncreaseStatus == .pending)
        #expect(payload.offerType == .winBack)
        #expect(payload.eligibleWinBackOfferIds == ["best", "second"])
        #expect(payload.advancedCommerceInfo?.items?.first?.priceIncreaseInfo?.dependentSKUs == ["two"])
        #expect(payload.commitmentInfo?.commitmentAutoRenewStatus == .off)
        #expect(payload.renewalQuantity == 4)
        #expect(payload.multiSeatInfo?.renewalPriceTiers?.first?.price == 900)
        #expect(payload.unknownFields.isEmpty)
    }

    @Test func `a notification has its five objects`() throws {
        let payload = try ResponseBodyV2DecodedPayload(jsonBytes: Array(EveryField.notification.utf8))
        #expect(payload.notificationType == .consumptionRequest)
        #expect(payload.subtype == .summary)
        #expect(payload.data?.status == .active)
        #expect(payload.data?.consumptionRequestReason == .legal)
        #expect(payload.summary?.storefrontCountryCodes == ["USA", "JPN"])
        #expect(payload.externalPurchaseToken?.tokenType == .coreTechnology)
        #expect(payload.appData?.signedAppTransactionInfo == "g.h.i")
        #expect(payload.unclaimInfo?.unclaimSeatIds?.count == 1)
        #expect(payload.unknownFields.isEmpty)
    }

    @Test func `an absent field is not written`() {
        let payload = JWSRenewalInfoDecodedPayload(
            originalTransactionId: "1",
            productId: "a",
            autoRenewProductId: "b",
            autoRenewStatus: .off,
            signedDate: 5,
            environment: .sandbox,
            unknownFields: ["productId": "hidden", "new": 1]
        )
        let text = #"""
            {"originalTransactionId":"1","productId":"a","autoRenewProductId":"b","autoRenewStatus":0,"signedDate":5,\#
            "environment":"Sandbox","new":1}
            """#
        #expect(String(decoding: payload.jsonBytes, as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            ("1697679936049.7297", 1_697_679_936_049), ("-62135769600000.9", -62_135_769_600_000), ("1.5e3", 1_500),
        ] as [(String, Int64)]
    )
    func `the fraction of a date is truncated`(text: String, expected: Int64) throws {
        let attempt = try SendAttemptItem(
            jsonBytes: Array(#"{"attemptDate":\#(text),"sendAttemptResult":"SUCCESS"}"#.utf8)
        )
        #expect(attempt.attemptDate == expected)
    }

    @Test func `an error has its path`() {
        let body = #"""
            {"environment":"Sandbox","bundleId":"b","data":[{"subscriptionGroupIdentifier":"1","lastTransactions":[
            {"originalTransactionId":"1","status":4294967296,"signedTransactionInfo":"a","signedRenewalInfo":"b"}]}]}
            """#
        let expected = ModelError(.outOfRange, path: "data[0].lastTransactions[0].status", message: "")
        let error = #expect(throws: expected) { try StatusResponse(jsonBytes: Array(body.utf8)) }
        #expect(
            error?.description
                == "out_of_range in data[0].lastTransactions[0].status: Expected a 32-bit integer."
        )
    }

    @Test func `an open value distinguishes known from unknown`() {
        #expect(NotificationType.didRenew.isDocumented)
        #expect(!NotificationType(rawValue: "SOMETHING_NEW").isDocumented)
        #expect("\(SubscriptionStatus.billingRetry)" == "3")
        #expect(Set(NotificationType.documented).count == NotificationType.documented.count)
        #expect(Set(NotificationSubtype.documented).count == NotificationSubtype.documented.count)
    }
}
