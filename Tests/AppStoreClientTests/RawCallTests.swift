import AppStoreClient
import AppStoreModel
import Testing

@Suite struct `Calls without a model` {
    @Test func `a call by name returns the unchanged body`() async throws {
        let body = " {\"signedTransactionInfo\" : \"x\", \"new\":1} "
        let stage = Stage([.answer(200, body)])
        let call = try #require(AppStoreServerCall.named("get-transaction-info"))

        let answer = try await stage.app.perform(call, path: ["transactionId": "1"], query: [QueryItem("a b", "c&d")])

        #expect(answer.value == Array(body.utf8))
        #expect(
            stage.transport.transcript == ["GET \(Stage.production)/inApps/v1/transactions/1?a%20b=c%26d → 200"]
        )
    }

    @Test func `a raw call has retries, limits and sandbox fallback like any other`() async throws {
        let stage = Stage([.answer(500), .error(404, 4_040_010), .answer(200, "{}")])

        let answer = try await stage.app(.productionThenSandbox)
            .perform(.getTransactionInfo, path: ["transactionId": "1"])

        #expect(answer.answeredBy == .sandbox)
        #expect(answer.attempts == 3)
    }

    @Test func `an unknown name is refused`() {
        #expect(AppStoreServerCall.named("get-everything") == nil)
    }

    @Test(arguments: ["", ".", "..", String(repeating: "1", count: 1025)])
    func `an invalid path parameter is refused before anything is sent`(value: String) async {
        let stage = Stage([])

        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: value) }

        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("transactionId") == true)
        #expect(error?.call == "get-transaction-info")
    }

    @Test func `a path parameter that is missing is refused`() async {
        let stage = Stage([])

        let error = await Stage.error { try await stage.app.perform(.getTransactionInfo, path: ["id": "1"]) }

        #expect(error?.code == .invalidRequest)
    }

    @Test func `no path parameter leaves its segment`() async throws {
        let stage = Stage([.answer(200, "{}")])

        _ = try await stage.app.perform(.getTransactionInfo, path: ["transactionId": "../a/b?c#d%2e é"])

        #expect(
            stage.transport.transcript == [
                "GET \(Stage.production)/inApps/v1/transactions/..%2Fa%2Fb%3Fc%23d%252e%20%C3%A9 → 200"
            ]
        )
    }

    @Test func `a body that is not allowed, and a missing body, are refused`() async {
        let stage = Stage([])
        let errors = [
            await Stage.error { try await stage.app.perform(.requestTestNotification, body: [0x7B]) },
            await Stage.error { try await stage.app.perform(.getNotificationHistory) },
            await Stage.error { try await stage.app.perform(.uploadImage, path: ["imageIdentifier": "i"]) },
        ]

        #expect(errors.map { $0?.code } == [.invalidRequest, .invalidRequest, .invalidRequest])
    }

    @Test func `headers have the sent and the accepted content types`() async throws {
        let stage = Stage([.answer(200), .answer(200, "{}")], configuration: .init(userAgent: "test/1"))
        _ = try await stage.app.uploadImage(imageIdentifier: "i", png: [1, 2, 3])
        _ = try await stage.app.perform(.getTransactionInfo, path: ["transactionId": "1"])

        let headers = stage.transport.requests.map { $0.headers.fields.map(\.name) }
        #expect(
            headers == [
                ["Authorization", "Accept", "User-Agent", "Content-Type"], ["Authorization", "Accept", "User-Agent"],
            ]
        )
        #expect(stage.transport.requests[0].headers["content-type"] == "image/png")
        #expect(stage.transport.requests[0].headers["user-agent"] == "test/1")
        #expect(stage.transport.requests[0].headers["accept"] == "application/json")
    }
}
