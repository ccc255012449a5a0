import AppStoreClient
import AppStoreModel
import AppStoreSigning
import Synchronization
import Testing

@Suite struct `Causes of a 401` {
    private typealias Step = ScriptedTransport.Step

    private func refusal(
        _ choice: EnvironmentChoice = .production,
        headers: [HTTPHeaders.Field] = [],
        tokens: (any BearerTokenSource)? = nil,
        bundleId: String = Stage.bundleId
    ) async -> AppStoreClientError? {
        let stage = Stage([.answer(401, Bodies.unauthorized, headers: headers)], tokens: tokens)
        return await Stage.error {
            try await stage.client.app(bundleId, in: choice).getTransactionInfo(transactionId: "1")
        }
    }

    private func tokens(keyId: String? = nil, issuerId: String? = nil) -> CachedBearerTokens {
        CachedBearerTokens(key: InAppPurchaseKey.generate(keyId: keyId, issuerId: issuerId))
    }

    @Test func `a 401 lists all possible causes, most likely first`() async {
        let production = await refusal()
        #expect(production?.code == .unauthorized)
        #expect(production?.unauthorizedCauses == [.appNeverReleased, .keyType, .keyId, .issuerId, .bundleId])
        #expect(production?.isRetryable == false)
        #expect(production?.requestId == "ABC123.0.0")
        for text in ["never been released", "In-App Purchase", "key id", "issuer id", Stage.bundleId] {
            #expect(production?.message.contains(text) == true, "\(text)")
        }
        #expect(await refusal(.sandbox)?.unauthorizedCauses == [.keyType, .keyId, .issuerId, .bundleId])
    }

    @Test(
        arguments: [
            ("Mon, 21 Sep 2026 14:03:20 GMT", "600 s ahead of"), ("Mon, 21 Sep 2026 14:18:20 GMT", "300 s behind"),
        ]
    )
    func `a clock that differs from the server's is the cause`(date: String, text: String) async {
        let error = await refusal(headers: [.init("Date", date)])

        #expect(error?.unauthorizedCauses == [.clock])
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    }

    @Test func `a clock that is correct to the minute is not a cause`() async {
        let error = await refusal(headers: [.init("Date", "Mon, 21 Sep 2026 14:13:50 GMT")])

        #expect(error?.unauthorizedCauses.contains(.clock) == false)
    }

    @Test func `a virtual clock is never the cause`() async {
        let stage = Stage(
            [.answer(401, Bodies.unauthorized, headers: [.init("Date", "Mon, 21 Sep 2026 14:03:20 GMT")])],
            clock: VirtualClock(isRealTime: false)
        )
        let error = await Stage.error { try await stage.app(.sandbox).getTransactionInfo(transactionId: "1") }

        #expect(error?.unauthorizedCauses == [.keyType, .keyId, .issuerId, .bundleId])
    }

    @Test func `the permissions of one key do not apply to another`() async throws {
        let keys = Mutex([InAppPurchaseKey.generate(keyId: "AAAAAAAAAA"), .generate(keyId: "BBBBBBBBBB")])
        let tokens = CachedBearerTokens { _ in keys.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        let stage = Stage([.answer(200, Bodies.transaction), .answer(401, Bodies.unauthorized)], tokens: tokens)
        _ = try await stage.app(.sandbox).getTransactionInfo(transactionId: "1")

        let error = await Stage.error { try await stage.app(.sandbox).getTransactionInfo(transactionId: "1") }

        #expect(error?.unauthorizedCauses == [.keyType, .keyId, .issuerId, .bundleId])
    }

    @Test func `an invalid key id, issuer id or bundle id is the cause`() async {
        #expect(await refusal(tokens: tokens(keyId: "AuthKey_1.p8"))?.unauthorizedCauses == [.keyId])
        #expect(await refusal(tokens: tokens(issuerId: "me@example.com"))?.unauthorizedCauses == [.issuerId])
        #expect(await refusal(bundleId: "My App")?.unauthorizedCauses == [.bundleId])
    }

    @Test func `if sandbox accepts the token, production refuses because the app was never released`() async throws {
        let stage = Stage([.answer(200, Bodies.transaction), .answer(401, Bodies.unauthorized)])
        _ = try await stage.app(.sandbox).getTransactionInfo(transactionId: "1")

        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }

        #expect(error?.unauthorizedCauses == [.appNeverReleased])
        #expect(error?.message.contains("sandbox") == true)
    }

    @Test func `an error object of Apple's also shows that the token was accepted`() async throws {
        let stage = Stage([.error(404, 4_040_010), .answer(401, Bodies.unauthorized)])
        _ = await Stage.error { try await stage.app(.sandbox).getTransactionInfo(transactionId: "1") }

        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }

        #expect(error?.unauthorizedCauses == [.appNeverReleased])
    }

    @Test func `another app's success is ignored`() async throws {
        let stage = Stage([.answer(200, Bodies.transaction), .answer(401, Bodies.unauthorized)])
        _ = try await stage.client.app("com.example.other", in: .sandbox).getTransactionInfo(transactionId: "1")

        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }

        #expect(error?.unauthorizedCauses.count == 5)
    }

    @Test func `a token that is expired or has too long a lifetime is the cause`() async {
        struct Fixed: BearerTokenSource {
            let issuedAt: Int64
            let expiresAt: Int64

            func credential(bundleId: String, now: Int64) async throws -> BearerCredential {
                BearerCredential(token: "t", issuedAt: issuedAt, expiresAt: expiresAt)
            }
            func discard(_ credential: BearerCredential, bundleId: String) async {}
        }
        let now = VirtualClock.start
        let over = await refusal(tokens: Fixed(issuedAt: now - 900_000, expiresAt: now))
        let long = await refusal(tokens: Fixed(issuedAt: now, expiresAt: now + 3_601_000))
        let strange = await refusal(tokens: Fixed(issuedAt: .min, expiresAt: .max))

        #expect(
            [over, long, strange].map { $0?.unauthorizedCauses } == [
                [.tokenLifetime], [.tokenLifetime], [.tokenLifetime],
            ]
        )
    }

    @Test func `a text code survives`() async {
        let stage = Stage([.answer(401, "{\"errorCode\":\"NOT_AUTHORIZED\"}")])

        let error = await Stage.error { try await stage.app(.sandbox).getTransactionInfo(transactionId: "1") }

        #expect(error?.apiErrorText == "NOT_AUTHORIZED")
        #expect(error?.apiError == nil)
        #expect(error?.code == .unauthorized)
    }
}
