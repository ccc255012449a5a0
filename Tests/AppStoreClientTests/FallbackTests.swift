import AppStoreClient
import AppStoreModel
import Testing

@Suite struct `The other environment` {
    private static let path = "/inApps/v1/transactions/1"

    @Test func `a transaction that is unknown in production is requested from sandbox`() async throws {
        let stage = Stage([.error(404, 4_040_010), .answer(200, Bodies.transaction)])

        let answer = try await stage.app(.productionThenSandbox).getTransactionInfo(transactionId: "1")

        #expect(answer.answeredBy == .sandbox)
        #expect(answer.attempts == 2)
        #expect(
            stage.transport.transcript == [
                "GET \(Stage.production)\(Self.path) → 404", "GET \(Stage.sandbox)\(Self.path) → 200",
            ]
        )
        #expect(stage.clock.sleeps.isEmpty)
    }

    @Test func `a transaction that is known in production is not requested from sandbox`() async throws {
        let stage = Stage([.answer(200, Bodies.transaction)])

        let answer = try await stage.app(.productionThenSandbox(beforeRelease: true))
            .getTransactionInfo(transactionId: "1")

        #expect(answer.answeredBy == .production)
    }

    @Test func `an original transaction that is unknown in production is requested from sandbox`() async throws {
        let stage = Stage([.error(404, 4_040_005), .answer(200, "{\"signedTransactions\":[]}")])

        let answer = try await stage.app(.productionThenSandbox).getRefundHistoryV1(originalTransactionId: "1")

        #expect(answer.answeredBy == .sandbox)
    }

    @Test func `a transaction that is unknown everywhere is an error of sandbox, the last environment`() async throws {
        let stage = Stage([.error(404, 4_040_010), .error(404, 4_040_010)])

        let error = await Stage.error {
            try await stage.app(.productionThenSandbox).getTransactionInfo(transactionId: "1")
        }

        #expect(error?.code == .transactionNotFound)
        #expect(error?.environment == .sandbox)
        #expect(error?.attempts == 2)
        #expect(error?.otherEnvironments.map(\.environment) == [.production])
        #expect(error?.message.hasSuffix("Production answered transaction_not_found.") == true)
    }

    @Test func `a 401 of production is not reported as an unknown transaction if sandbox does not know it`()
        async throws
    {
        let stage = Stage([.answer(401, Bodies.unauthorized), .error(404, 4_040_010)])

        let error = await Stage.error {
            try await stage.app(.productionThenSandbox(beforeRelease: true)).getTransactionInfo(transactionId: "1")
        }

        #expect(error?.code == .unauthorized)
        #expect(error?.environment == .production)
        #expect(error?.attempts == 2)
        #expect(error?.otherEnvironments.map(\.code) == [.transactionNotFound])
        #expect(error?.message.hasSuffix("Sandbox answered transaction_not_found.") == true)
    }

    @Test func `before an app's first release a 401 of production leads to sandbox, with the option`()
        async throws
    {
        let steps: [ScriptedTransport.Step] = [.answer(401, Bodies.unauthorized), .answer(200, Bodies.transaction)]
        let stage = Stage(steps)
        let answer = try await stage.app(.productionThenSandbox(beforeRelease: true))
            .getTransactionInfo(transactionId: "1")
        #expect(answer.answeredBy == .sandbox)

        let strict = Stage(steps)
        let error = await Stage.error {
            try await strict.app(.productionThenSandbox).getTransactionInfo(transactionId: "1")
        }
        #expect(error?.code == .unauthorized)
        #expect(error?.environment == .production)
        #expect(strict.transport.requests.count == 1)
    }

    @Test func `no other error leads to sandbox`() async throws {
        let steps: [ScriptedTransport.Step] = [
            .error(404, 4_040_001), .error(400, 4_000_006), .answer(500),
            .failure(.connectionFailed, mayHaveBeenSent: false),
            .answer(404, "not found"),
        ]
        for step in steps {
            let stage = Stage([step], configuration: .init(retryPolicy: .never))
            let error = await Stage.error {
                try await stage.app(.productionThenSandbox(beforeRelease: true)).getTransactionInfo(transactionId: "1")
            }
            #expect(error?.environment == .production)
            #expect(stage.transport.isOver)
        }
    }

    @Test func `a single environment has no fallback`() async throws {
        let stage = Stage([.error(404, 4_040_010)])

        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }

        #expect(error?.code == .transactionNotFound)
        #expect(error?.environment == .production)
    }

    @Test func `both environments share one deadline`() async throws {
        let stage = Stage([
            .answer(404, "{\"errorCode\":4040010}", takes: 4000),
            .failure(.timedOut, mayHaveBeenSent: true, takes: 1000),
        ])

        let error = await Stage.error {
            try await stage.app(.productionThenSandbox).within(.seconds(5)).getTransactionInfo(transactionId: "1")
        }

        #expect(error?.code == .timedOut)
        #expect(stage.transport.timeouts == [.seconds(5), .seconds(1)])
    }

    @Test func `a call that only one environment offers goes there, and is refused elsewhere`() async throws {
        let groups = Stage([.answer(200, "{\"groups\":[]}")])
        let answer = try await groups.app(.productionThenSandbox).getCustomerGroups(anyTransactionId: "1")
        #expect(answer.answeredBy == .sandbox)

        let order = Stage([.answer(200, "{\"status\":1}")])
        #expect(try await order.app(.productionThenSandbox).lookUpOrderId(orderId: "MK1").answeredBy == .production)

        let nothing = Stage([])
        let refused = [
            await Stage.error { try await nothing.app(.production).getCustomerGroups(anyTransactionId: "1") },
            await Stage.error { try await nothing.app(.sandbox).lookUpOrderId(orderId: "MK1") },
        ]
        #expect(refused.map { $0?.code } == [.callNotAvailable, .callNotAvailable])
    }

    @Test func `availability is not checked if the configuration disables it`() async throws {
        let stage = Stage(
            [.answer(200, "{\"groups\":[]}")],
            configuration: .init(checksAvailability: false)
        )

        #expect(try await stage.app.getCustomerGroups(anyTransactionId: "1").answeredBy == .production)
    }

    @Test func `hosts are configurable, and an environment without a host is an error`() async throws {
        let hosts = AppStoreHosts([.localTesting: "http://127.0.0.1:8081/"])
        let stage = Stage([.answer(200, Bodies.transaction)], configuration: .init(hosts: hosts))

        _ = try await stage.app(.only(.localTesting)).getTransactionInfo(transactionId: "1")
        #expect(stage.transport.transcript == ["GET http://127.0.0.1:8081\(Self.path) → 200"])

        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }
        #expect(error?.code == .environmentNotConfigured)
    }

    @Test func `Apple's hosts are the ones of 2026, or the older ones`() {
        #expect(AppStoreHosts.apple[.production] == Stage.production)
        #expect(AppStoreHosts.apple[.sandbox] == Stage.sandbox)
        #expect(AppStoreHosts.appleBefore2026[.production] == "https://api.storekit.itunes.apple.com")
        #expect(AppStoreHosts.appleBefore2026[.sandbox] == "https://api.storekit-sandbox.itunes.apple.com")
        #expect(AppStoreHosts(everywhere: "http://h//")[.sandbox] == "http://h")
    }
}
