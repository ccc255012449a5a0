import AppStoreClient
import AppStoreModel
import AppStoreSigning
import Synchronization
import Testing

@Suite struct `Bearer tokens of the client` {
    private let key = InAppPurchaseKey.generate()

    private func tokens(in stage: Stage) -> [String] {
        stage.transport.requests.compactMap { $0.headers["authorization"] }
    }

    private func stage(_ count: Int, tokens: any BearerTokenSource) -> Stage {
        Stage(Array(repeating: .answer(200, Bodies.transaction), count: count), tokens: tokens)
    }

    @Test func `a token is valid for its app, for far less than an hour`() async throws {
        let stage = stage(1, tokens: CachedBearerTokens(key: key))
        _ = try await stage.app.getTransactionInfo(transactionId: "1")

        let header = try #require(tokens(in: stage).first)
        let token = String(header.dropFirst("Bearer ".count))
        let check = BearerTokenVerifier(keys: [key])
            .check(token, bundleIds: [Stage.bundleId], now: VirtualClock.start / 1000)
        let claims = try #require(check.claims)
        #expect(claims.issuedAt == VirtualClock.start / 1000)
        #expect(claims.expiresAt - claims.issuedAt == 900)
    }

    @Test func `a token is reused until a minute before it ends`() async throws {
        let stage = stage(4, tokens: CachedBearerTokens(key: key))
        _ = try await stage.app.getTransactionInfo(transactionId: "1")
        stage.clock.advance(milliseconds: 839_000)
        _ = try await stage.app.getTransactionInfo(transactionId: "1")
        stage.clock.advance(milliseconds: 1000)
        _ = try await stage.app.getTransactionInfo(transactionId: "1")
        _ = try await stage.app.getTransactionInfo(transactionId: "1")

        let tokens = tokens(in: stage)
        #expect(tokens[0] == tokens[1])
        #expect(tokens[1] != tokens[2])
        #expect(tokens[2] == tokens[3])
    }

    @Test func `each request has its own token if reuse is disabled`() async throws {
        let stage = stage(3, tokens: CachedBearerTokens(key: key, reusesTokens: false))
        for _ in 1...3 {
            _ = try await stage.app.getTransactionInfo(transactionId: "1")
            stage.clock.advance(milliseconds: 1000)
        }

        #expect(Set(tokens(in: stage)).count == 3)
        for (position, header) in tokens(in: stage).enumerated() {
            let token = String(header.dropFirst("Bearer ".count))
            let now = VirtualClock.start / 1000 + Int64(position)
            let check = BearerTokenVerifier(keys: [key]).check(token, bundleIds: [Stage.bundleId], now: now)
            #expect(check.claims?.issuedAt == now)
        }
    }

    @Test func `each app has its own token, shared by both environments`() async throws {
        let stage = stage(4, tokens: CachedBearerTokens(key: key))
        for bundleId in ["com.example.a", "com.example.b", "com.example.a"] {
            _ = try await stage.client.app(bundleId, in: .production).getTransactionInfo(transactionId: "1")
        }
        _ = try await stage.client.app("com.example.a", in: .sandbox).getTransactionInfo(transactionId: "1")

        let tokens = tokens(in: stage)
        #expect(tokens[0] != tokens[1])
        #expect(tokens[0] == tokens[2])
        #expect(tokens[0] == tokens[3])
    }

    @Test func `a replaced key gives a new token at once`() async throws {
        let current = Mutex(key)
        let stage = stage(2, tokens: CachedBearerTokens { _ in current.withLock { $0 } })
        _ = try await stage.app.getTransactionInfo(transactionId: "1")
        current.withLock { $0 = InAppPurchaseKey.generate() }
        _ = try await stage.app.getTransactionInfo(transactionId: "1")

        #expect(Set(tokens(in: stage)).count == 2)
    }

    @Test func `a token made by a fast clock is not reused after its correction`() async throws {
        let stage = stage(2, tokens: CachedBearerTokens(key: key))
        stage.clock.correct(wall: VirtualClock.start + 86_400_000)
        _ = try await stage.app.getTransactionInfo(transactionId: "1")
        stage.clock.correct(wall: VirtualClock.start)
        _ = try await stage.app.getTransactionInfo(transactionId: "1")

        #expect(Set(tokens(in: stage)).count == 2)
    }

    @Test func `a lifetime beyond Apple's hour is clamped, as is a margin beyond the lifetime`() async throws {
        let source = CachedBearerTokens(lifetime: .seconds(86_400), margin: .seconds(86_400)) { [key] _ in key }
        let first = try await source.credential(bundleId: "a", now: 0)
        let second = try await source.credential(bundleId: "a", now: 1_799_999)
        let third = try await source.credential(bundleId: "a", now: 1_800_000)

        #expect(first.expiresAt == 3_600_000)
        #expect(first == second)
        #expect(third != second)
    }

    @Test func `a clock at its limits does not crash the token source`() async throws {
        let source = CachedBearerTokens(key: key)
        for now in [Int64.min, -1, .max] {
            let credential = try await source.credential(bundleId: "a", now: now)
            #expect(credential.keyId == key.keyId)
        }
    }

    @Test func `an app without a key is a specific error, before anything is sent`() async throws {
        let stage = Stage([], tokens: CachedBearerTokens { _ in nil })

        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }

        #expect(error?.code == .keyMissing)
        #expect(error?.message.contains(Stage.bundleId) == true)
    }

    @Test func `a failing token source is an error without its text`() async throws {
        struct Failing: BearerTokenSource {
            struct Leak: Error { let secret = "the private key" }

            func credential(bundleId: String, now: Int64) async throws -> BearerCredential { throw Leak() }
            func discard(_ credential: BearerCredential, bundleId: String) async {}
        }
        let stage = Stage([], tokens: Failing())

        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }

        #expect(error?.code == .tokenNotMade)
        #expect(error?.message.contains("private key") == false)
        #expect(error?.message.contains("Leak") == true)
    }

    @Test func `a token source without a token delays a call at most until its deadline`() async throws {
        let clock = VirtualClock()
        let source = UnresponsiveTokens(clock: clock)
        let stage = Stage([], tokens: source, clock: clock)

        let error = await Stage.error {
            try await stage.app.within(.seconds(2)).getTransactionInfo(transactionId: "1")
        }

        #expect(error?.code == .deadlineExceeded)
        #expect(error?.message.contains("token source") == true)
        #expect(error?.isRetryable == true)
        #expect(error?.attempts == 0)
    }

    @Test func `a token source that does not discard a token delays a call at most until its deadline`() async throws {
        let clock = VirtualClock()
        let tokens = CachedBearerTokens(key: key)
        let source = UnresponsiveTokens(tokens: tokens, clock: clock)
        let stage = Stage(
            [.answer(200, Bodies.transaction), .answer(401, Bodies.unauthorized)],
            tokens: source,
            clock: clock
        )
        let app = stage.app.within(.seconds(2))
        _ = try await app.getTransactionInfo(transactionId: "1")

        let error = await Stage.error { try await app.getTransactionInfo(transactionId: "1") }

        #expect(error?.code == .deadlineExceeded)
        #expect(error?.attempts == 1)
        #expect(stage.transport.isOver)
    }

    @Test func `a token that was accepted before and is refused now is replaced once`() async throws {
        let stage = Stage([
            .answer(200, Bodies.transaction), .answer(401, Bodies.unauthorized), .answer(200, Bodies.transaction),
        ])
        _ = try await stage.app.getTransactionInfo(transactionId: "1")
        stage.clock.advance(milliseconds: 60_000)

        let answer = try await stage.app.getTransactionInfo(transactionId: "1")

        #expect(answer.attempts == 2)
        let tokens = tokens(in: stage)
        #expect(tokens[0] == tokens[1])
        #expect(tokens[1] != tokens[2])
        #expect(stage.clock.sleeps.isEmpty)
    }

    @Test func `a token that is refused again is an error`() async throws {
        let stage = Stage([
            .answer(200, Bodies.transaction), .answer(401, Bodies.unauthorized), .answer(401, Bodies.unauthorized),
        ])
        _ = try await stage.app.getTransactionInfo(transactionId: "1")

        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }

        #expect(error?.code == .unauthorized)
        #expect(error?.attempts == 2)
        #expect(error?.unauthorizedCauses == [.keyRevoked])
    }
}

/// A token source that does not answer until it is cancelled: on request, or when it must forget a token.
private struct UnresponsiveTokens: BearerTokenSource {
    var tokens: CachedBearerTokens?
    /// Its time passes while the source does not answer.
    let clock: VirtualClock

    func credential(bundleId: String, now: Int64) async throws -> BearerCredential {
        if let tokens { return try await tokens.credential(bundleId: bundleId, now: now) }
        await neverAnswer()
        throw CancellationError()
    }

    func discard(_ credential: BearerCredential, bundleId: String) async {
        await neverAnswer()
    }

    private func neverAnswer() async {
        clock.letDeadlinesPass()
        let (silence, _) = AsyncStream<Void>.makeStream()
        // Waits until it is cancelled.
        for await _ in silence {}
    }
}
