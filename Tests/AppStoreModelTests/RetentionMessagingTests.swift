import AppStoreModel
import Testing

@Suite struct `Retention Messaging` {
    @Test func `a request has every field under its name`() throws {
        let request = try DecodedRealtimeRequestBody(jsonBytes: Array(RetentionMessagingFields.realtimeRequest.utf8))
        #expect(request.originalTransactionId == "2000000000000001")
        #expect(request.appAppleId == 6_400_000_001)
        #expect(request.productId == "pro.monthly")
        #expect(request.userLocale == "en-US")
        #expect(request.requestIdentifier == "0a0b0c0d-0000-4000-8000-000000000010")
        #expect(request.environment == .production)
        #expect(request.signedDate == 1_772_701_260_000)
        #expect(request.unknownFields.isEmpty)
    }

    @Test func `a date with a fraction, as Xcode writes it, is accepted`() throws {
        let text = RetentionMessagingFields.realtimeRequest.replacing("1772701260000", with: "1772701260000.7297")
        #expect(try DecodedRealtimeRequestBody(jsonBytes: Array(text.utf8)).signedDate == 1_772_701_260_000)
    }

    @Test(
        arguments: [
            (RealtimeResponseBody.message("m"), #"{"message":{"messageIdentifier":"m"}}"#),
            (
                .alternateProduct("pro.yearly", message: "m"),
                #"{"alternateProduct":{"messageIdentifier":"m","productId":"pro.yearly"}}"#
            ),
            (
                .alternateProduct("pro.yearly", message: "m", billingPlanType: .monthly),
                #"{"alternateProduct":{"messageIdentifier":"m","productId":"pro.yearly","billingPlanType":"MONTHLY"}}"#
            ),
            (
                .promotionalOffer(signatureV2: "a.b.c", message: "m"),
                #"{"promotionalOffer":{"messageIdentifier":"m","promotionalOfferSignatureV2":"a.b.c"}}"#
            ),
            (
                .promotionalOffer(signatureV1: signature, message: "m"),
                #"""
                {"promotionalOffer":{"messageIdentifier":"m","promotionalOfferSignatureV1":{"encodedSignature":"MEUC",\#
                "productId":"pro.monthly","nonce":"n","timestamp":7,"keyId":"k","offerIdentifier":"stay"}}}
                """#
            ),
            (
                .advancedCommerce(data: "e30=", message: "m"),
                #"{"advancedCommerceInfo":{"messageIdentifier":"m","advancedCommerceData":"e30="}}"#
            ),
        ]
    ) func `an answer has exactly one object`(answer: RealtimeResponseBody, text: String) {
        #expect(String(decoding: answer.jsonBytes, as: UTF8.self) == text)
        #expect(answer.json.count == 1)
    }

    @Test func `the failures of a performance test are counted by reason`() throws {
        let result = try PerformanceTestResultResponse(
            jsonBytes: Array(RetentionMessagingFields.performanceTestResult.utf8)
        )
        #expect(result.result == .fail)
        #expect(result.failures?.counts == [.timedOut: 26, .noResponse: 3])
        #expect(result.failures?.unknownFields.isEmpty == true)
        #expect(result.responseTimes?.p99 == 900)
        #expect(result.config?.responseTimeThreshold == 700)
    }

    @Test func `failures for an undocumented reason are kept`() throws {
        let failures = try PerformanceTestFailures(json: ["SOMETHING_NEW": 4, "TIMED_OUT": "many"])
        #expect(failures.counts == [SendAttemptResult(rawValue: "SOMETHING_NEW"): 4])
        #expect(failures.unknownFields == ["TIMED_OUT": "many"])
        #expect(failures.json == ["SOMETHING_NEW": 4, "TIMED_OUT": "many"])
    }

    @Test func `the result of a running test is decoded`() throws {
        let result = try PerformanceTestResultResponse(json: ["result": "PENDING"])
        #expect(result.result == .pending)
        #expect(result.successRate == nil)
    }

    @Test func `every documented value has a name`() {
        #expect(ImageState.documented.map(\.rawValue) == ["PENDING", "APPROVED", "REJECTED"])
        #expect(MessageState.documented.map(\.rawValue) == ["PENDING", "APPROVED", "REJECTED"])
        #expect(ImageSize.documented.map(\.rawValue) == ["FULL_SIZE", "BULLET_POINT"])
        #expect(HeaderPosition.documented.map(\.rawValue) == ["ABOVE_BODY", "ABOVE_IMAGE"])
        #expect(PerformanceTestStatus.documented.map(\.rawValue) == ["PENDING", "PASS", "FAIL"])
    }

    private static let signature = PromotionalOfferSignatureV1(
        encodedSignature: "MEUC",
        productId: "pro.monthly",
        nonce: "n",
        timestamp: 7,
        keyId: "k",
        offerIdentifier: "stay"
    )
}
