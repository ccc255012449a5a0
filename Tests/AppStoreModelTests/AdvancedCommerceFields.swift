import AppStoreModel

/// JSON of the requests and answers of Advanced Commerce with every field that Apple documents.
enum AdvancedCommerceFields {
    private static let requestInfo = #"""
        {"requestReferenceId":"0a0b0c0d-0000-4000-8000-000000000001",
        "appAccountToken":"0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e","consistencyToken":"token"}
        """#

    static let refund = #"""
        {"requestInfo":\#(requestInfo),"items":[{"SKU":"one","refundReason":"LEGAL","refundType":"CUSTOM",
        "revoke":true,"refundAmount":500},{"SKU":"two","refundReason":"OTHER","refundType":"FULL","revoke":false}],
        "refundRiskingPreference":true,"currency":"USD","storefront":"USA"}
        """#

    static let modification = #"""
        {"operation":"MODIFY_SUBSCRIPTION","version":"1","requestInfo":\#(requestInfo),
        "transactionId":"2000000000000002","retainBillingCycle":true,
        "addItems":[{"SKU":"three","description":"Third","displayName":"Three","price":3000,"proratedPrice":1500,
        "offer":{"period":"P1M","periodCount":1,"price":0,"reason":"RETENTION"}}],
        "changeItems":[{"currentSKU":"one","SKU":"four","description":"Fourth","displayName":"Four","price":4000,
        "effective":"NEXT_BILL_CYCLE","reason":"DOWNGRADE",
        "offer":{"period":"P1W","periodCount":2,"price":10,"reason":"WIN_BACK"},"proratedPrice":5}],
        "removeItems":[{"SKU":"two"}],"periodChange":{"period":"P1Y","effective":"IMMEDIATELY"},
        "descriptors":{"effective":"IMMEDIATELY","description":"A bundle","displayName":"Bundle"},
        "taxCode":"C003-00-2","currency":"USD","storefront":"USA"}
        """#

    static let serverRequests: [(any JSONRepresentable.Type, String)] = [
        (AdvancedCommerceSubscriptionCancelRequest.self, #"{"requestInfo":\#(requestInfo),"storefront":"USA"}"#),
        (
            AdvancedCommerceSubscriptionRevokeRequest.self,
            #"""
            {"requestInfo":\#(requestInfo),"refundReason":"FULFILLMENT_ISSUE","refundType":"PRORATED",
            "refundRiskingPreference":false,"storefront":"USA"}
            """#
        ),
        (
            AdvancedCommerceSubscriptionPriceChangeRequest.self,
            #"""
            {"requestInfo":\#(requestInfo),"items":[{"SKU":"one","price":12990,"dependentSKUs":["two","three"]}],
            "currency":"USD","storefront":"USA"}
            """#
        ),
        (
            AdvancedCommerceSubscriptionChangeMetadataRequest.self,
            #"""
            {"requestInfo":\#(requestInfo),
            "descriptors":{"effective":"IMMEDIATELY","description":"A bundle","displayName":"Bundle"},
            "items":[{"currentSKU":"one","effective":"NEXT_BILL_CYCLE","SKU":"uno","description":"First",
            "displayName":"One"}],"taxCode":"C003-00-2","storefront":"USA"}
            """#
        ),
        (
            AdvancedCommerceSubscriptionMigrateRequest.self,
            #"""
            {"requestInfo":\#(requestInfo),"targetProductId":"generic.subscription","taxCode":"C003-00-2",
            "descriptors":{"description":"A bundle","displayName":"Bundle"},
            "items":[{"SKU":"one","description":"First","displayName":"One"}],
            "renewalItems":[{"SKU":"two","description":"Second","displayName":"Two"}],"storefront":"USA"}
            """#
        ),
        (AdvancedCommerceRequestRefundRequest.self, refund),
    ]

    static let inAppRequests: [(any AdvancedCommerceInAppRequest.Type, String)] = [
        (
            AdvancedCommerceOneTimeChargeCreateRequest.self,
            #"""
            {"operation":"CREATE_ONE_TIME_CHARGE","version":"1","requestInfo":\#(requestInfo),"currency":"EUR",
            "taxCode":"C003-00-1","item":{"SKU":"book","description":"A book","displayName":"Book","price":4990},
            "storefront":"DEU"}
            """#
        ),
        (
            AdvancedCommerceSubscriptionCreateRequest.self,
            #"""
            {"operation":"CREATE_SUBSCRIPTION","version":"1","requestInfo":\#(requestInfo),"currency":"USD",
            "taxCode":"C003-00-2","descriptors":{"description":"A bundle","displayName":"Bundle"},
            "items":[{"SKU":"one","description":"First","displayName":"One","price":9990,
            "offer":{"period":"P2W","periodCount":1,"price":0,"reason":"ACQUISITION"}}],"period":"P1M",
            "previousTransactionId":"2000000000000001","storefront":"USA"}
            """#
        ),
        (AdvancedCommerceSubscriptionModifyInAppRequest.self, modification),
        (
            AdvancedCommerceSubscriptionReactivateInAppRequest.self,
            #"""
            {"operation":"REACTIVATE_SUBSCRIPTION","version":"1","requestInfo":\#(requestInfo),
            "transactionId":"2000000000000002","items":[{"SKU":"one"}],"storefront":"USA"}
            """#
        ),
    ]

    private static let answer = #"{"signedTransactionInfo":"a.b.c","signedRenewalInfo":"d.e.f"}"#

    static let answers: [(any JSONRepresentable.Type, String)] = [
        (AdvancedCommerceSubscriptionCancelResponse.self, answer),
        (AdvancedCommerceSubscriptionRevokeResponse.self, answer),
        (AdvancedCommerceSubscriptionPriceChangeResponse.self, answer),
        (AdvancedCommerceSubscriptionChangeMetadataResponse.self, answer),
        (AdvancedCommerceSubscriptionMigrateResponse.self, answer),
        (AdvancedCommerceRequestRefundResponse.self, answer),
    ]

    static let all: [(any JSONRepresentable.Type, String)] =
        serverRequests + inAppRequests.map { ($0.0, $0.1) } + answers
}
