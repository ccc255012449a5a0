import AppStoreModel

/// JSON of Retention Messaging with every field that Apple documents.
enum RetentionMessagingFields {
    static let realtimeRequest = #"""
        {"originalTransactionId":"2000000000000001","appAppleId":6400000001,"productId":"pro.monthly",
        "userLocale":"en-US","requestIdentifier":"0a0b0c0d-0000-4000-8000-000000000010","environment":"Production",
        "signedDate":1772701260000}
        """#

    /// All four answers at once, which Apple does not allow, so that each field is there.
    static let realtimeResponse = #"""
        {"message":{"messageIdentifier":"0a0b0c0d-0000-4000-8000-000000000011"},
        "alternateProduct":{"messageIdentifier":"0a0b0c0d-0000-4000-8000-000000000011","productId":"pro.yearly",
        "billingPlanType":"MONTHLY"},
        "promotionalOffer":{"messageIdentifier":"0a0b0c0d-0000-4000-8000-000000000011",
        "promotionalOfferSignatureV2":"a.b.c",
        "promotionalOfferSignatureV1":{"encodedSignature":"MEUC","productId":"pro.monthly",
        "nonce":"0a0b0c0d-0000-4000-8000-000000000012","timestamp":1772701260000,"keyId":"ABCDE12345",
        "offerIdentifier":"stay","appAccountToken":"0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"}},
        "advancedCommerceInfo":{"messageIdentifier":"0a0b0c0d-0000-4000-8000-000000000011",
        "advancedCommerceData":"e30="}}
        """#

    static let requests: [(any JSONRepresentable.Type, String)] = [
        (
            UploadMessageRequestBody.self,
            #"""
            {"header":"Stay with us","body":"All your projects stay as they are.",
            "image":{"imageIdentifier":"0a0b0c0d-0000-4000-8000-000000000013","altText":"A desk"},
            "headerPosition":"ABOVE_IMAGE","bulletPoints":[{"text":"Every device",
            "imageIdentifier":"0a0b0c0d-0000-4000-8000-000000000014","altText":"A tick"},{"text":"Every project",
            "imageIdentifier":"0a0b0c0d-0000-4000-8000-000000000014","altText":"A tick"}]}
            """#
        ),
        (DefaultConfigurationRequest.self, #"{"messageIdentifier":"0a0b0c0d-0000-4000-8000-000000000011"}"#),
        (RealtimeUrlRequest.self, #"{"realtimeURL":"https://example.com/retention"}"#),
        (PerformanceTestRequest.self, #"{"originalTransactionId":"2000000000000001"}"#),
    ]

    static let performanceTestResult = #"""
        {"config":{"maxConcurrentRequests":10,"totalRequests":1000,"totalDuration":60000,"responseTimeThreshold":700,
        "successRateThreshold":99},"target":"https://example.com/retention","result":"FAIL","successRate":97,
        "numPending":1,"responseTimes":{"average":120,"p50":100,"p90":200,"p95":400,"p99":900},
        "failures":{"NO_RESPONSE":3,"TIMED_OUT":26}}
        """#

    static let answers: [(any JSONRepresentable.Type, String)] = [
        (
            GetImageListResponse.self,
            #"""
            {"imageIdentifiers":[{"imageIdentifier":"0a0b0c0d-0000-4000-8000-000000000013","imageState":"APPROVED",
            "imageSize":"BULLET_POINT"}]}
            """#
        ),
        (
            GetMessageListResponse.self,
            #"""
            {"messageIdentifiers":[{"messageIdentifier":"0a0b0c0d-0000-4000-8000-000000000011",
            "messageState":"REJECTED"}]}
            """#
        ),
        (DefaultConfigurationResponse.self, #"{"messageIdentifier":"0a0b0c0d-0000-4000-8000-000000000011"}"#),
        (RealtimeUrlResponse.self, #"{"realtimeURL":"https://example.com/retention"}"#),
        (
            PerformanceTestResponse.self,
            #"""
            {"config":{"maxConcurrentRequests":10,"totalRequests":1000,"totalDuration":60000,
            "responseTimeThreshold":700,"successRateThreshold":99},"requestId":"test-1"}
            """#
        ),
        (PerformanceTestResultResponse.self, performanceTestResult),
    ]

    static let all: [(any JSONRepresentable.Type, String)] =
        [
            (DecodedRealtimeRequestBody.self, realtimeRequest),
            (RealtimeRequestBody.self, #"{"signedPayload":"a.b.c"}"#),
            (RealtimeResponseBody.self, realtimeResponse),
        ] + requests + answers
}
