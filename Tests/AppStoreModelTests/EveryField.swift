import AppStoreModel

/// JSON with every field that Apple documents, as Apple orders them.
enum EveryField {
    static let transaction = #"""
        {"transactionId":"2000000000000002","originalTransactionId":"2000000000000001",
        "webOrderLineItemId":"2000000000000900","bundleId":"com.example.perennial","productId":"pro.monthly",
        "subscriptionGroupIdentifier":"21000001","purchaseDate":1772701200000,"originalPurchaseDate":1767258000000,
        "expiresDate":1775379600000,"quantity":3,"type":"Auto-Renewable Subscription",
        "appAccountToken":"0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e","inAppOwnershipType":"PURCHASED",
        "signedDate":1772701260000,"revocationDate":1772701250000,"revocationReason":1,
        "revocationType":"REFUND_PRORATED","revocationPercentage":50000,"isUpgraded":true,"offerType":2,
        "offerIdentifier":"spring","offerDiscountType":"PAY_AS_YOU_GO","offerPeriod":"P1M","environment":"Production",
        "storefront":"JPN","storefrontId":"143462","transactionReason":"RENEWAL","price":980000,"currency":"JPY",
        "appTransactionId":"704000000000000001",
        "advancedCommerceInfo":{"descriptors":{"description":"A bundle","displayName":"Bundle"},"estimatedTax":80,
        "items":[{"SKU":"one","description":"First","displayName":"One",
        "offer":{"period":"P9M","periodCount":12,"price":0,"reason":"WIN_BACK"},"price":500,
        "refunds":[{"refundAmount":10,"refundDate":1772701250001,"refundReason":"MODIFY_ITEMS_REFUND",
        "refundType":"CUSTOM"}],"revocationDate":1772701250002}],"period":"P6M",
        "requestReferenceId":"0a0b0c0d-0000-4000-8000-000000000001","taxCode":"C003-00-2","taxExclusivePrice":900,
        "taxRate":"0.08875"},
        "previousOriginalTransactionId":"2000000000000000","billingPlanType":"MONTHLY",
        "commitmentInfo":{"billingPeriodNumber":2,"totalBillingPeriods":12,"commitmentExpiresDate":1798794000000,
        "commitmentPrice":11760000},
        "multiSeatInfo":{"invitationManagement":"DEVELOPER","priceTiers":[{"price":900,"quantity":2},
        {"price":800,"quantity":1}],"revokedSeatQuantity":1},
        "additionalTransactionReason":"SEAT_ADDITION","deviceVerification":"c2VjcmV0",
        "deviceVerificationNonce":"48c8b92d-ce0d-4229-bedf-e61b4f9cfc92"}
        """#

    static let renewalInfo = #"""
        {"originalTransactionId":"2000000000000001","productId":"pro.monthly","autoRenewProductId":"pro.yearly",
        "autoRenewStatus":1,"expirationIntent":2,"isInBillingRetryPeriod":true,"gracePeriodExpiresDate":1775400000000,
        "priceIncreaseStatus":0,"offerType":4,"offerIdentifier":"back","offerDiscountType":"PAY_UP_FRONT",
        "offerPeriod":"P3M","signedDate":1772701260000,"environment":"Sandbox",
        "recentSubscriptionStartDate":1767258000000,"renewalDate":1775379600000,"renewalPrice":79990,"currency":"USD",
        "eligibleWinBackOfferIds":["best","second"],"appTransactionId":"704000000000000001",
        "appAccountToken":"0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e",
        "advancedCommerceInfo":{"consistencyToken":"token","descriptors":{"description":"A bundle",
        "displayName":"Bundle"},"items":[{"SKU":"one","description":"First","displayName":"One",
        "offer":{"period":"P3D","periodCount":1,"price":0,"reason":"ACQUISITION"},"price":500,
        "priceIncreaseInfo":{"dependentSKUs":["two"],"price":600,"status":"SCHEDULED"}}],"period":"P1Y",
        "requestReferenceId":"0a0b0c0d-0000-4000-8000-000000000001","taxCode":"C003-00-2"},
        "renewalBillingPlanType":"BILLED_UPFRONT",
        "commitmentInfo":{"commitmentAutoRenewProductId":"pro.yearly","commitmentAutoRenewStatus":0,
        "commitmentRenewalBillingPlanType":"MONTHLY","commitmentRenewalDate":1798794000000,
        "commitmentRenewalPrice":79990},
        "renewalQuantity":4,"multiSeatInfo":{"renewalPriceTiers":[{"price":900,"quantity":4}]}}
        """#

    static let notification = #"""
        {"notificationType":"CONSUMPTION_REQUEST","subtype":"SUMMARY",
        "notificationUUID":"5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a10","version":"2.0","signedDate":1772701260000,
        "data":{"appAppleId":6400000001,"bundleId":"com.example.perennial","bundleVersion":"512",
        "environment":"Production","status":1,"signedTransactionInfo":"a.b.c","signedRenewalInfo":"d.e.f",
        "consumptionRequestReason":"LEGAL"},
        "summary":{"requestIdentifier":"0a0b0c0d-0000-4000-8000-000000000002","environment":"Production",
        "appAppleId":6400000001,"bundleId":"com.example.perennial","productId":"pro.monthly",
        "storefrontCountryCodes":["USA","JPN"],"succeededCount":5,"failedCount":2},
        "externalPurchaseToken":{"externalPurchaseId":"SANDBOX_1","tokenCreationDate":1772701260000,
        "appAppleId":6400000001,"bundleId":"com.example.perennial","tokenExpirationDate":1772701260001,
        "tokenType":"CORE_TECHNOLOGY"},
        "appData":{"appAppleId":6400000001,"bundleId":"com.example.perennial","environment":"Production",
        "signedAppTransactionInfo":"g.h.i"},
        "unclaimInfo":{"unclaimSeatIds":["0a0b0c0d-0000-4000-8000-000000000003"]}}
        """#

    static let answers: [(any JSONRepresentable.Type, String)] = [
        (ResponseBodyV2.self, #"{"signedPayload":"a.b.c"}"#),
        (TransactionInfoResponse.self, #"{"signedTransactionInfo":"a.b.c"}"#),
        (
            StatusResponse.self,
            #"""
            {"environment":"Production","bundleId":"com.example.perennial","appAppleId":6400000001,
            "data":[{"subscriptionGroupIdentifier":"21000001","lastTransactions":[{
            "originalTransactionId":"2000000000000001","status":4,"signedTransactionInfo":"a.b.c",
            "signedRenewalInfo":"d.e.f"}]}]}
            """#
        ),
        (
            HistoryResponse.self,
            #"""
            {"revision":"17","hasMore":true,"bundleId":"com.example.perennial","appAppleId":6400000001,
            "environment":"Production","signedTransactions":["a.b.c","d.e.f"]}
            """#
        ),
        (SendTestNotificationResponse.self, #"{"testNotificationToken":"0a0b0c0d"}"#),
        (
            CheckTestNotificationResponse.self,
            #"""
            {"signedPayload":"a.b.c","sendAttempts":[{"attemptDate":1772701260000,
            "sendAttemptResult":"UNSUCCESSFUL_HTTP_RESPONSE_CODE"}],"firstSendAttemptResult":"TIMED_OUT"}
            """#
        ),
    ]

    static let payloads: [(any JSONRepresentable.Type, String)] =
        [
            (JWSTransactionDecodedPayload.self, transaction),
            (JWSRenewalInfoDecodedPayload.self, renewalInfo),
            (ResponseBodyV2DecodedPayload.self, notification),
        ] + answers + PurchaseFields.all + ExternalPurchaseFields.all
}
