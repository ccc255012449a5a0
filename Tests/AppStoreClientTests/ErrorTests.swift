import AppStoreClient
import AppStoreModel
import Testing

@Suite struct `Errors of the client` {
    private typealias Step = ScriptedTransport.Step

    private func error(of step: Step) async -> AppStoreClientError? {
        let stage = Stage([step], configuration: .init(retryPolicy: .never))
        return await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }
    }

    @Test func `an error keeps Apple's whole answer`() async {
        let body = "{\"errorCode\":4000006,\"errorMessage\":\"Invalid transaction id.\"}"
        let error = await error(of: .answer(400, body, headers: [.init("X-Apple-Request-UUID", " id-1 ")]))

        #expect(error?.code == .refused)
        #expect(error?.apiError == .invalidTransactionId)
        #expect(error?.httpStatus == 400)
        #expect(error?.body == Array(body.utf8))
        #expect(error?.headers["x-apple-request-uuid"] == " id-1 ")
        #expect(error?.requestId == "id-1")
        #expect(error?.call == "get-transaction-info")
        #expect(error?.environment == .production)
        #expect(error?.message.contains("4000006 InvalidTransactionId: Invalid transaction id") == true)
        #expect(error?.description.hasPrefix("refused: Apple answered Get Transaction Info") == true)
        #expect(error?.debugDescription.contains("request id id-1") == true)
    }

    @Test(
        arguments: [
            (400, 4_999_999, .refused, false), (403, 4_039_999, .refused, false), (429, 4_299_999, .rateLimited, true),
            (500, 5_009_999, .serverFault, true), (503, 5_030_000, .serverFault, true),
        ] as [(Int, Int64, AppStoreClientError.Code, Bool)]
    )
    func `an unknown number survives`(
        status: Int,
        number: Int64,
        code: AppStoreClientError.Code,
        isRetryable: Bool
    ) async {
        let error = await error(of: .error(status, number))

        #expect(error?.code == code)
        #expect(error?.apiError?.code == number)
        #expect(error?.apiError?.message == "Apple's words.")
        #expect(error?.isRetryable == isRetryable)
    }

    @Test(
        arguments: [
            (400, "", .refused), (404, "<html>not found</html>", .refused), (413, "{}", .refused),
            (418, "[1]", .refused), (500, "", .serverFault), (502, "<html>", .serverFault),
            (301, "", .unexpectedStatus), (304, "", .unexpectedStatus), (100, "", .unexpectedStatus),
            (429, "slow down", .rateLimited), (999, "", .unexpectedStatus), (-1, "", .unexpectedStatus),
        ] as [(Int, String, AppStoreClientError.Code)]
    )
    func `an answer without an error object is an error by its status`(
        status: Int,
        body: String,
        code: AppStoreClientError.Code
    ) async {
        let error = await error(of: .answer(status, body))

        #expect(error?.code == code)
        #expect(error?.apiError == nil)
        #expect(error?.body == Array(body.utf8))
        #expect(error?.message.isEmpty == false)
    }

    @Test(
        arguments: [
            "", "<html>welcome to the hotel's network</html>", "{\"signedTransactionInfo\":", "[]", "null",
            "{\"signedTransactionInfo\":7}", "{\"a\":1,\"a\":2}", String(repeating: "[", count: 10_000),
        ]
    )
    func `an undocumented successful answer is an error with its body`(body: String) async {
        let error = await error(of: .answer(200, body))

        #expect(error?.code == .responseMalformed)
        #expect(error?.body == Array(body.utf8))
        #expect(error?.modelError != nil)
        #expect(error?.attempts == 1)
        #expect(error?.message.contains("TransactionInfoResponse") == true)
    }

    @Test func `bytes that are not text are handled`() async {
        let response = AppStoreHTTPResponse(status: 400, body: [0xFF, 0xFE, 0x00, 0x7B])
        let error = await error(of: Step(result: .success(response)))

        #expect(error?.code == .refused)
        #expect(error?.body == [0xFF, 0xFE, 0x00, 0x7B])
    }

    @Test func `an answer larger than the limit is refused, whatever the transport lets through`() async {
        let configuration = AppStoreServerAPIClient.Configuration(responseBytesMax: 10)
        let stage = Stage([.answer(200, Bodies.transaction)], configuration: configuration)

        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }

        #expect(error?.code == .responseTooLarge)
        #expect(error?.message.contains("10 bytes") == true)
    }

    @Test func `the errors of a refused external purchase report can be read`() async throws {
        let body =
            "{\"errors\":[{\"errorCode\":5,\"errorMessage\":\"Omitted\",\"fieldName\":\"netAmount\","
            + "\"lineItemId\":\"l1\"},{\"errorCode\":7,\"errorMessage\":\"Future\"}]}"
        let stage = Stage([.answer(400, body)])
        let report = ExternalPurchaseReport(
            requestIdentifier: "6e2f0c1a-5c9f-4a55-8a2c-0d2b2f6f4e11",
            externalPurchaseId: "SANDBOX_1",
            status: .unrecognizedToken
        )

        let error = await Stage.error { try await stage.app(.sandbox).sendExternalPurchaseReport(report) }

        let read = try #require(try error?.body(as: SendReportErrorResponse.self))
        #expect(read.errors.count == 2)
        #expect(error?.message.contains("2 errors") == true)
    }

    @Test func `an empty 404 for Retention Messaging mentions the missing access`() async {
        let stage = Stage([.answer(404)])

        let error = await Stage.error { try await stage.app.getRealtimeURL() }

        #expect(error?.message.contains("access") == true)
    }

    @Test func `errors are equal by their code`() {
        let one = AppStoreClientError(code: .refused, message: "one")
        let other = AppStoreClientError(code: .refused, message: "other")

        #expect(one == other)
        #expect(one != AppStoreClientError(code: .timedOut, message: "one"))
        #expect(Set([one, other]).count == 1)
    }
}
