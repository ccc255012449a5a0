import AppStoreModel
import Testing

@Suite struct `The table of API errors` {
    @Test func `has each code once, under one name`() {
        let all = AppStoreServerAPIError.all
        #expect(all.count == 68)
        #expect(Set(all.map(\.code)).count == all.count)
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(all.allSatisfy { !$0.message.isEmpty && !$0.name.hasSuffix("Error") })
    }

    @Test func `has codes that begin with their HTTP status`() {
        #expect(Set(AppStoreServerAPIError.all.map(\.httpStatus)) == [400, 403, 404, 429, 500])
        #expect(AppStoreServerAPIError.all.allSatisfy { $0.code / 10_000 == $0.httpStatus })
    }

    @Test func `says which calls may be repeated`() {
        let retryable = AppStoreServerAPIError.all.filter(\.isRetryable).map(\.code)
        #expect(retryable == [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_000, 5_000_001])
    }

    @Test func `writes Apple's error body`() {
        let body = AppStoreServerAPIError.transactionIdNotFound.json.serialize()
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#
        )
    }

    @Test func `reads known and unknown codes`() throws {
        for known in AppStoreServerAPIError.all { #expect(try AppStoreServerAPIError(json: known.json) == known) }
        let unknown = try AppStoreServerAPIError(json: ["errorCode": 4_000_999, "errorMessage": "New."])
        #expect(unknown.name.isEmpty)
        #expect(unknown.message == "New.")
        #expect(unknown.httpStatus == 400)
        #expect(!unknown.isRetryable)
        #expect(AppStoreServerAPIError(code: 5_030_001).isRetryable)
    }

    @Test func `refuses a code that is a text`() {
        let body: JSONObject = ["errorCode": "NOT_AUTHORIZED"]
        #expect(throws: ModelError(.wrongType, path: "errorCode", message: "")) {
            try AppStoreServerAPIError(json: body)
        }
    }
}
