import AppStoreModel

/// JSON of the purchase calls, of consumption and of extensions with every field that Apple documents.
enum PurchaseFields {
    static let appTransaction = #"""
        {"receiptType":"Production","appAppleId":6400000001,"bundleId":"com.example.perennial",
        "appTransactionId":"704000000000000001","originalApplicationVersion":"1.0.3",
        "originalPurchaseDate":1767258000000,"originalPlatform":"visionOS","preorderDate":1767171600000,
        "receiptCreationDate":1772701260000,"storeType":"CONSUMER","applicationVersion":"512",
        "versionExternalIdentifier":870000001,"deviceVerification":"c2VjcmV0",
        "deviceVerificationNonce":"48c8b92d-ce0d-4229-bedf-e61b4f9cfc92","requestDate":1772701260001}
        """#

    static let consumption = #"""
        {"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false,
        "consumptionPercentage":67932,"refundPreference":"GRANT_PRORATED"}
        """#

    static let consumptionV1 = #"""
        {"customerConsented":true,"consumptionStatus":2,"platform":1,"sampleContentProvided":true,"deliveryStatus":4,
        "appAccountToken":"0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e","accountTenure":6,"playTime":7,
        "lifetimeDollarsRefunded":1,"lifetimeDollarsPurchased":5,"userStatus":4,"refundPreference":3}
        """#

    static let massExtension = #"""
        {"requestIdentifier":"0a0b0c0d-0000-4000-8000-000000000020","extendByDays":30,"extendReasonCode":3,
        "productId":"pro.monthly","storefrontCountryCodes":["USA","JPN"]}
        """#

    static let notificationHistory = #"""
        {"startDate":1772701260000,"endDate":1772787660000,"notificationType":"DID_CHANGE_RENEWAL_PREF",
        "notificationSubtype":"UPGRADE","transactionId":"2000000000000002","onlyFailures":true,
        "originalTransactionId":"2000000000000001"}
        """#

    static let requests: [(any JSONRepresentable.Type, String)] = [
        (UpdateAppAccountTokenRequest.self, #"{"appAccountToken":"0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"}"#),
        (ConsumptionRequest.self, consumption),
        (ConsumptionRequestV1.self, consumptionV1),
        (
            ExtendRenewalDateRequest.self,
            #"""
            {"extendByDays":90,"extendReasonCode":1,"requestIdentifier":"0a0b0c0d-0000-4000-8000-000000000021"}
            """#
        ),
        (MassExtendRenewalDateRequest.self, massExtension),
        (NotificationHistoryRequest.self, notificationHistory),
    ]

    static let answers: [(any JSONRepresentable.Type, String)] = [
        (AppTransactionInfoResponse.self, #"{"signedAppTransactionInfo":"a.b.c"}"#),
        (RefundHistoryResponse.self, #"{"hasMore":true,"revision":"17","signedTransactions":["a.b.c","d.e.f"]}"#),
        (RefundLookupResponse.self, #"{"signedTransactions":["a.b.c"]}"#),
        (OrderLookupResponse.self, #"{"status":0,"signedTransactions":["a.b.c"]}"#),
        (
            GetCustomerGroupsResponse.self,
            #"""
            {"groups":[{"groupId":"900000000000000000","groupType":"ORGANIZATION","roles":[{"productId":"pro.monthly",
            "role":"ADMIN"},{"productId":"pro.yearly","role":"NONE"}]}]}
            """#
        ),
        (
            GetGroupMembersResponse.self,
            #"""
            {"members":[{"appTransactionId":"700000000000000000"}],"paginationToken":"next","hasMore":true}
            """#
        ),
        (
            ExtendRenewalDateResponse.self,
            #"""
            {"originalTransactionId":"2000000000000001","webOrderLineItemId":"2000000000000900","success":true,
            "effectiveDate":1775379600000}
            """#
        ),
        (
            MassExtendRenewalDateResponse.self,
            #"{"requestIdentifier":"0a0b0c0d-0000-4000-8000-000000000020"}"#
        ),
        (
            MassExtendRenewalDateStatusResponse.self,
            #"""
            {"requestIdentifier":"0a0b0c0d-0000-4000-8000-000000000020","complete":true,"completeDate":1772701260000,
            "succeededCount":30000000000,"failedCount":2}
            """#
        ),
        (
            NotificationHistoryResponse.self,
            #"""
            {"paginationToken":"next","hasMore":true,"notificationHistory":[{"signedPayload":"a.b.c","sendAttempts":[
            {"attemptDate":1772701260000,"sendAttemptResult":"TIMED_OUT"}],"firstSendAttemptResult":"TIMED_OUT"}]}
            """#
        ),
    ]

    static let all: [(any JSONRepresentable.Type, String)] =
        [(JWSAppTransactionDecodedPayload.self, appTransaction)] + requests + answers
}
