import AppStoreModel
import Testing

@Suite struct `The body of a failed call` {
    private func body(_ httpStatus: Int, _ text: String) -> AppStoreServerAPIErrorBody {
        AppStoreServerAPIError.decode(httpStatus: httpStatus, body: Array(text.utf8))
    }

    @Test func `a body has the error that Apple documents`() {
        let body = body(404, #"{"errorCode":4040010,"errorMessage":"Transaction id not found.","new":1}"#)
        #expect(body.error == .transactionIdNotFound)
        #expect(body.message == "Transaction id not found.")
        #expect(body.codeText == nil)
        #expect(body.retry == .whenReady)
        #expect(body.meaning == AppStoreServerAPIError.transactionIdNotFound.meaning)
        #expect(body.json?["new"] == 1)
    }

    @Test func `a body keeps an unknown number`() {
        let body = body(503, #"{"errorCode":5030007,"errorMessage":"Busy."}"#)
        #expect(body.error?.code == 5_030_007)
        #expect(body.error?.name == "")
        #expect(body.error?.message == "Busy.")
        #expect(body.isRetryable)
    }

    @Test func `a body keeps a text code`() {
        let body = body(401, #"{"errorCode":"NOT_AUTHORIZED","errorMessage":"No."}"#)
        #expect(body.error == nil)
        #expect(body.codeText == "NOT_AUTHORIZED")
        #expect(body.message == "No.")
        #expect(body.meaning.contains("In-App Purchase key"))
    }

    @Test func `a number in a text is decoded`() {
        #expect(body(404, #"{"errorCode":"4040001"}"#).error == .accountNotFound)
    }

    @Test(arguments: [
        #"{"errorCode":null}"#, #"{"errorCode":[4040010]}"#, #"{"errorCode":4.04e6}"#, #"{"errorCode":-4040010}"#,
        #"{"errorCode":99999999999999999999}"#, #"{"errorCode":0}"#, #"{"errorMessage":7}"#, "[1]", "4040010", "null",
    ])
    func `a body of another form is not an error of Apple's`(text: String) {
        let body = body(400, text)
        #expect(body.error == nil)
        #expect(body.message == nil)
        #expect(body.reportErrors.isEmpty)
        #expect(body.retry == .never)
        #expect(body.bytes == Array(text.utf8))
    }

    @Test(arguments: ["", "Unauthenticated\n\nRequest ID: ABC\n", "<html>Bad gateway</html>", #"{"errorCode":4040"#])
    func `a body that is not JSON is kept`(text: String) {
        let body = body(502, text)
        #expect(body.error == nil)
        #expect(body.json == nil)
        #expect(body.codeText == nil)
        #expect(body.retry == .shortly)
        #expect(body.bytes == Array(text.utf8))
    }

    @Test func `a body that is not text is kept`() {
        let body = AppStoreServerAPIErrorBody(httpStatus: 500, bytes: [0xFF, 0x00, 0xC3, 0x28])
        #expect(body.json == nil)
        #expect(body.excerpt().unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test func `a body with too many levels is kept without parsing`() {
        let text = #"{"errorCode":4040010,"x":"# + String(repeating: "[", count: 100_000)
        #expect(body(400, text).error == nil)
    }

    @Test func `a body has an excerpt of one bounded line`() {
        let body = body(401, "Unauthenticated\n\nRequest ID: é\u{7F}" + String(repeating: "x", count: 1_000))
        #expect(body.excerpt(lengthMax: 31) == "Unauthenticated  Request ID: é ")
        #expect(body.excerpt().unicodeScalars.count == 200)
        #expect(body.excerpt(lengthMax: 0).isEmpty)
        #expect(body.excerpt(lengthMax: -5).isEmpty)
        #expect(body.excerpt(lengthMax: .max).unicodeScalars.count == 1_031)
    }

    @Test(
        arguments: [
            (400, .never), (401, .never), (403, .never), (404, .never), (409, .never), (418, .never),
            (429, .afterRateLimit), (500, .shortly), (503, .shortly), (599, .shortly), (600, .never), (-1, .never),
        ] as [(Int, RetryAdvice)]
    )
    func `a body without a code has the meaning of its status`(httpStatus: Int, retry: RetryAdvice) {
        let body = body(httpStatus, "")
        #expect(body.retry == retry)
        #expect(body.meaning.hasSuffix("."))
    }

    @Test func `the body for an external purchase report has all errors`() {
        let text = #"""
            {"errors":[{"errorCode":11,"errorMessage":"They do not add up.","fieldName":"amountTaxInclusive",
            "lineItemId":"a"},{"errorCode":"new"},7,{"errorCode":99,"errorMessage":"New."}]}
            """#
        let body = body(400, text)
        #expect(body.error == nil)
        #expect(body.reportErrors.map(\.errorCode.rawValue) == [11, 99])
        #expect(body.reportErrors.first?.description == "11 IncorrectAmountTaxInclusive in a.amountTaxInclusive")
        #expect(body.meaning == "Make the amounts add up.")
    }

    @Test func `a body with a small number is one about an external purchase report`() {
        let body = body(400, #"{"errorCode":3,"errorMessage":"The referenced value was not found."}"#)
        #expect(body.error == nil)
        #expect(body.reportErrors.map(\.errorCode) == [.notFound])
        #expect(body.codeText == "3")
    }
}
