import AppStoreClient
import AppStoreModel
import AppStoreSigning
import Synchronization
import Testing

@Suite struct `Several keys of an app` {
    private static let keyIds = ["AAAAAAAAAA", "BBBBBBBBBB", "CCCCCCCCCC"]
    private static let keys = keyIds.map { InAppPurchaseKey.generate(keyId: $0) }

    /// An App Store that accepts the tokens of some keys.
    private final class Team: Sendable {
        let accepted: Mutex<Set<String>>
        private let asked = Mutex<[String]>([])
        private let reported = Mutex<[RefusedKey]>([])

        init(_ accepted: Set<String>) { self.accepted = Mutex(accepted) }

        /// The keys of the requests since the last call.
        func askedKeys() -> [String] {
            asked.withLock { asked in
                defer { asked = [] }
                return asked
            }
        }

        var reports: [RefusedKey] { reported.withLock { $0 } }

        func stage(
            _ keys: [InAppPurchaseKey],
            requests: Int = 20,
            attemptsMax: Int = 4,
            refusal: [HTTPHeaders.Field] = []
        ) -> Stage {
            let step = ScriptedTransport.Step.echo { [self] request in
                let header = request.headers["authorization"] ?? ""
                let keyId = keyId(of: String(header.dropFirst("Bearer ".count)))
                asked.withLock { $0.append(keyId) }
                guard accepted.withLock({ $0.contains(keyId) }) else {
                    let headers = HTTPHeaders(refusal)
                    return AppStoreHTTPResponse(status: 401, headers: headers, body: Array(Bodies.unauthorized.utf8))
                }
                return AppStoreHTTPResponse(status: 200, body: Array(Bodies.transaction.utf8))
            }
            var configuration = AppStoreServerAPIClient.Configuration()
            configuration.retryPolicy.attemptsMax = attemptsMax
            configuration.onRefusedKey = { [self] key in reported.withLock { $0.append(key) } }
            return Stage(
                Array(repeating: step, count: requests),
                configuration: configuration,
                tokens: CachedBearerTokens(keys: keys)
            )
        }

        private func keyId(of token: String) -> String {
            let verifier = BearerTokenVerifier(keys: `Several keys of an app`.keys)
            // The clock of the tests moves by hours; the lifetime of a token is tested elsewhere.
            for hour in 0..<5 as Range<Int64> {
                let now = VirtualClock.start / 1000 + hour * 3600
                if let claims = verifier.check(token, bundleIds: [Stage.bundleId], now: now).claims {
                    return claims.keyId
                }
            }
            return "unknown"
        }
    }

    private func call(_ stage: Stage) async -> AppStoreClientError? {
        await Stage.error { try await stage.app(.sandbox).getTransactionInfo(transactionId: "1") }
    }

    @Test func `the first key signs while Apple accepts it`() async {
        let team = Team(Set(Self.keyIds))
        let stage = team.stage(Self.keys)
        for _ in 1...3 { #expect(await call(stage) == nil) }
        #expect(team.askedKeys() == Array(repeating: Self.keyIds[0], count: 3))
        #expect(team.reports.isEmpty)
    }

    @Test(arguments: 0..<8)
    func `a call succeeds exactly if one of its keys is accepted, whichever these are`(pattern: Int) async {
        let accepted = Set(Self.keyIds.indices.filter { pattern >> $0 & 1 == 1 }.map { Self.keyIds[$0] })
        let team = Team(accepted)
        let stage = team.stage(Self.keys, attemptsMax: 1)
        let error = await call(stage)
        #expect((error == nil) == !accepted.isEmpty)
        // Each key is tried once, in the given order, up to the first that is accepted.
        let tried = Self.keyIds.firstIndex { accepted.contains($0) }.map { Array(Self.keyIds[...$0]) } ?? Self.keyIds
        #expect(team.askedKeys() == tried)
        let refused = tried.filter { !accepted.contains($0) }
        #expect(team.reports.map(\.keyId) == refused)
        #expect(team.reports.map(\.hasAnotherKey) == refused.map { $0 != Self.keyIds.last })
    }

    @Test func `a revoked key loses no call, and the next calls begin with the key that works`() async {
        let team = Team(Set(Self.keyIds))
        let stage = team.stage(Self.keys)
        #expect(await call(stage) == nil)
        team.accepted.withLock { $0 = [Self.keyIds[1]] }
        #expect(await call(stage) == nil)
        // The first token may have expired, so the client renews it once before it tries the next key.
        #expect(
            team.askedKeys() == [Self.keyIds[0], Self.keyIds[0], Self.keyIds[0], Self.keyIds[1]]
        )
        for _ in 1...3 { #expect(await call(stage) == nil) }
        #expect(team.askedKeys() == Array(repeating: Self.keyIds[1], count: 3))
        #expect(team.reports.map(\.keyId) == [Self.keyIds[0]])
    }

    @Test func `calls return to the first key after an hour`() async {
        let team = Team([Self.keyIds[1]])
        let stage = team.stage(Self.keys)
        #expect(await call(stage) == nil)
        stage.clock.advance(milliseconds: 3_599_000)
        #expect(await call(stage) == nil)
        #expect(team.askedKeys() == [Self.keyIds[0], Self.keyIds[1], Self.keyIds[1]])
        stage.clock.advance(milliseconds: 1000)
        #expect(await call(stage) == nil)
        #expect(team.askedKeys() == [Self.keyIds[0], Self.keyIds[1]])
        team.accepted.withLock { $0 = [Self.keyIds[0]] }
        stage.clock.advance(milliseconds: 3_600_000)
        for _ in 1...2 { #expect(await call(stage) == nil) }
        #expect(team.askedKeys() == [Self.keyIds[0], Self.keyIds[0]])
    }

    @Test func `if all keys are refused, the error is that of one key and names all`() async {
        let team = Team([])
        let several = await call(team.stage(Self.keys))
        let one = await call(team.stage([Self.keys[0]]))
        #expect(several?.code == .unauthorized)
        #expect(several?.unauthorizedCauses == one?.unauthorizedCauses)
        #expect(several?.isRetryable == false)
        #expect(several?.attempts == 3)
        for keyId in Self.keyIds { #expect(several?.message.contains(keyId) == true) }
    }

    @Test func `a wrong clock is not the key's fault`() async {
        let team = Team([])
        let stage = team.stage(Self.keys, refusal: [.init("Date", "Mon, 21 Sep 2026 14:03:20 GMT")])
        let error = await call(stage)
        #expect(error?.unauthorizedCauses == [.clock])
        #expect(team.askedKeys() == [Self.keyIds[0]])
    }

    @Test func `a source that always has another key is asked a limited number of times`() async {
        final class Endless: BearerTokenSource {
            private let count = Mutex(0)
            func credential(bundleId: String, now: Int64) async throws -> BearerCredential { next() }
            func discard(_ credential: BearerCredential, bundleId: String) async {}
            func credential(
                bundleId: String,
                except refusedKeyIds: Set<String>,
                now: Int64
            ) async throws -> BearerCredential? { next() }
            private func next() -> BearerCredential {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return BearerCredential(token: "t", keyId: "K\(number)")
            }
        }
        let step = ScriptedTransport.Step.answer(401, Bodies.unauthorized)
        let stage = Stage(Array(repeating: step, count: 40), tokens: Endless())
        #expect(await call(stage)?.code == .unauthorized)
        #expect(stage.transport.requests.count == 16)
    }
}
