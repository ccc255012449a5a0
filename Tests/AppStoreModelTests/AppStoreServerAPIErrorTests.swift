import AppStoreModel
import Testing

@Suite struct `The table of API errors` {
    @Test func `the table has each number of Apple's once, under its name`() {
        let all = AppStoreServerAPIError.all
        #expect(all.count == 216)
        #expect(Dictionary(all.map { ($0.code, $0.name) }, uniquingKeysWith: { $0 + $1 }) == ErrorNumbers.table)
        #expect(Set(all.map(\.name)).count == all.count)
    }

    @Test(arguments: AppStoreServerAPIError.all) func `each error has Apple's message, a meaning and a remedy`(
        error: AppStoreServerAPIError
    ) {
        #expect(!error.message.isEmpty)
        #expect(!error.name.hasSuffix("Error"))
        #expect(error.meaning.hasSuffix("."))
        #expect(error.meaning != error.message)
        #expect(error.description == "\(error.code) \(error.name): \(error.message) \(error.meaning)")
    }

    @Test func `each number begins with its HTTP status`() {
        #expect(Set(AppStoreServerAPIError.all.map(\.httpStatus)) == [400, 401, 403, 404, 409, 429, 500])
        #expect(AppStoreServerAPIError.all.allSatisfy { $0.code / 10_000 == $0.httpStatus })
    }

    @Test func `each error shows whether the call may be repeated`() {
        let all = AppStoreServerAPIError.all
        func codes(_ retry: RetryAdvice) -> [Int64] { all.filter { $0.retry == retry }.map(\.code).sorted() }
        #expect(codes(.shortly) == [4_040_002, 4_040_004, 4_040_006, 5_000_000, 5_000_001])
        #expect(codes(.afterRateLimit) == [4_290_000])
        #expect(codes(.whenReady) == [4_000_181, 4_000_213, 4_030_017, 4_030_018, 4_040_008, 4_040_010])
        #expect(all.allSatisfy { $0.isRetryable == [.shortly, .afterRateLimit].contains($0.retry) })
        #expect(all.allSatisfy { $0.isRetryable || !$0.name.hasSuffix("Retryable") })
    }

    @Test func `the table has the errors without a published number`() {
        let known = Set(AppStoreServerAPIError.all.map(\.name))
        #expect(AppStoreServerAPIError.unnumbered.count == 5)
        #expect(AppStoreServerAPIError.unnumbered.allSatisfy { !known.contains($0.name) && $0.meaning.hasSuffix(".") })
    }

    @Test func `an error is written as Apple's body`() {
        let body = AppStoreServerAPIError.transactionIdNotFound.json.serialize()
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#
        )
    }

    @Test func `known and unknown numbers are decoded`() throws {
        for known in AppStoreServerAPIError.all {
            let read = try AppStoreServerAPIError(json: known.json)
            #expect(read == known)
            #expect(read.hashValue == known.hashValue)
            #expect([read.name, read.message, read.meaning] == [known.name, known.message, known.meaning])
            #expect(read.retry == known.retry)
        }
        let unknown = try AppStoreServerAPIError(json: ["errorCode": 4_000_999, "errorMessage": "New."])
        #expect(unknown.name.isEmpty)
        #expect(unknown.message == "New.")
        #expect(unknown.httpStatus == 400)
        #expect(unknown.retry == .never)
        #expect(unknown.description.hasPrefix("4000999: New. "))
        #expect(AppStoreServerAPIError(code: 5_030_001).isRetryable)
        #expect(AppStoreServerAPIError(code: 4_290_001).retry == .afterRateLimit)
    }

    @Test(arguments: [Int64.min, -1, 0, 42, .max]) func `any number is an error`(code: Int64) {
        let error = AppStoreServerAPIError(code: code)
        #expect(error.code == code)
        #expect(error.retry == .never)
    }

    @Test func `errors are compared by number, not by message`() {
        #expect(AppStoreServerAPIError(code: 4_040_010, message: "Otherwise said.") == .transactionIdNotFound)
        #expect(AppStoreServerAPIError.accountNotFound != .accountNotFoundRetryable)
    }

    @Test func `a number that is a text is refused`() {
        let body: JSONObject = ["errorCode": "NOT_AUTHORIZED"]
        #expect(throws: ModelError(.wrongType, path: "errorCode", message: "")) {
            try AppStoreServerAPIError(json: body)
        }
    }
}
