import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Synchronization
import Testing

@Suite struct `Revocation of certificates` {
    @Test(arguments: [RevocationFailureMode.soft, .hard])
    func `good certificates are accepted, after one query for each`(mode: RevocationFailureMode) async throws {
        let world = try World(.good, mode)

        #expect(await world.failure() == nil)

        #expect(world.responder.questions == 2)
        #expect(world.responder.addresses == [World.address])
    }

    @Test(
        arguments: [RevocationFailureMode.soft, .hard],
        [OCSPResponder.Behaviour.revoked, .leafRevoked, .intermediateRevoked]
    )
    func `a revoked certificate is refused in either mode`(
        mode: RevocationFailureMode,
        behaviour: OCSPResponder.Behaviour
    ) async throws {
        let failure = try await World(behaviour, mode).failure()

        #expect(failure?.code == .certificateRevoked)
        #expect(failure?.isRetryable == false)
    }

    @Test(arguments: [
        OCSPResponder.Behaviour.unknown, .unreachable, .garbage, .tryLater, .outdated(revoked: false),
        .outdated(revoked: true), .forged(revoked: false), .forged(revoked: true), .replayed,
    ])
    func `without a usable answer the soft mode accepts and the hard mode refuses`(
        behaviour: OCSPResponder.Behaviour
    ) async throws {
        #expect(try await World(behaviour, .soft).failure() == nil)
        let failure = try await World(behaviour, .hard).failure()
        #expect(failure?.code == .revocationUnknown)
        #expect(failure?.isRetryable == true)
    }

    @Test(arguments: [RevocationFailureMode.soft, .hard], [1, 2])
    func `"revoked" counts even if the authority answers it only once`(
        mode: RevocationFailureMode,
        question: Int
    ) async throws {
        let world = try World(.revokedThenUnreachable(question: question), mode)

        #expect(await world.failure()?.code == .certificateRevoked)
        #expect(world.responder.questions == question)
        // Neither time nor a missing answer reverts a revocation.
        world.advance(.seconds(13 * 3600))
        #expect(await world.failure()?.code == .certificateRevoked)
        await world.checker.waitForRequests()
        #expect(await world.failure()?.code == .certificateRevoked)
        world.responder.become(.good)
        world.advance(.seconds(60))
        #expect(await world.failure()?.code == .certificateRevoked)
        await world.checker.waitForRequests()
        #expect(await world.failure() == nil)
    }

    @Test func `a chain without a responder is accepted without a query`() async throws {
        let world = try World(.unreachable, .hard, address: nil)

        #expect(await world.failure() == nil)
        #expect(world.responder.questions == 0)
    }

    @Test func `data refused for another reason causes no query`() async throws {
        let world = try World(.revoked, .hard)
        var payload = world.samples.transaction()
        payload.bundleId = "com.example.other"
        let foreign = try world.sign(payload)
        let forged = Array(try Samples().sign(payload).utf8)

        #expect(await world.verifier.verifyTransaction(foreign).failure?.code == .appNotConfigured)
        #expect(await world.verifier.verifyTransaction(forged).failure?.code == .chainNotTrusted)
        #expect(world.responder.questions == 0)
    }

    @Test func `every kind of data is checked, once per chain`() async throws {
        let world = try World(.revoked, .soft)
        let samples = world.samples
        let transaction = try world.sign(samples.transaction())
        let renewalInfo = try world.sign(samples.renewalInfo())
        let appTransaction = try world.sign(samples.appTransaction())
        let notification = try world.sign(try samples.notification())
        let request = try world.sign(samples.realtimeRequest())

        #expect(await world.verifier.verifyTransaction(transaction).failure?.code == .certificateRevoked)
        let questions = world.responder.questions
        #expect(await world.verifier.verifyRenewalInfo(renewalInfo).failure?.code == .certificateRevoked)
        #expect(await world.verifier.verifyAppTransaction(appTransaction).failure?.code == .certificateRevoked)
        #expect(await world.verifier.verifyNotification(notification).failure?.code == .certificateRevoked)
        #expect(await world.verifier.verifyRealtimeRequest(request).failure?.code == .certificateRevoked)
        #expect(await world.verifier.verify(transaction, as: .transaction).failure?.code == .certificateRevoked)
        #expect(world.responder.questions == questions)
    }

    @Test func `sixty-four concurrent verifications make one query`() async throws {
        let world = try World(.good, .hard)
        let jws = try world.sign(world.samples.transaction())
        let verifier = world.verifier
        world.responder.close()

        let verified = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 {
                group.addTask { await verifier.verifyTransaction(jws).failure == nil }
            }
            world.responder.open()
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }

        #expect(verified == 64)
        #expect(world.responder.questions == 2)
    }

    @Test func `a stale answer is used while a new one is fetched`() async throws {
        let world = try World(.good, .hard)
        #expect(await world.failure() == nil)
        world.advance(.seconds(14 * 60))
        #expect(await world.failure() == nil)
        #expect(world.responder.questions == 2)

        world.advance(.seconds(60))
        world.responder.become(.revoked)
        world.responder.close()
        // The responder delays the new query; verifications do not wait for it.
        #expect(await world.failure() == nil)
        #expect(await world.failure() == nil)
        world.responder.open()
        await world.checker.waitForRequests()

        #expect(await world.failure()?.code == .certificateRevoked)
    }

    @Test func `an answer that is too old is not used`() async throws {
        let world = try World(.good, .hard)
        #expect(await world.failure() == nil)

        world.advance(.seconds(12 * 3600))
        world.responder.become(.revoked)

        #expect(await world.failure()?.code == .certificateRevoked)
    }

    @Test func `a clock that was set back invalidates an answer`() async throws {
        let world = try World(.good, .hard)
        #expect(await world.failure() == nil)
        world.advance(.seconds(-1))
        #expect(await world.failure() == nil)
        #expect(world.responder.questions == 4)
    }

    @Test(arguments: [OCSPResponder.Behaviour.good, .revoked])
    func `a missing answer does not replace an earlier one`(behaviour: OCSPResponder.Behaviour) async throws {
        let world = try World(behaviour, .hard)
        let before = await world.failure()?.code
        world.responder.become(.unreachable)
        world.advance(.seconds(16 * 60))
        #expect(await world.failure()?.code == before)
        await world.checker.waitForRequests()
        #expect(await world.failure()?.code == before)

        let asked = world.responder.questions
        world.advance(.seconds(59))
        #expect(await world.failure()?.code == before)
        await world.checker.waitForRequests()
        #expect(world.responder.questions == asked)
        world.advance(.seconds(1))
        #expect(await world.failure()?.code == before)
        await world.checker.waitForRequests()
        // The leaf first without an answer, and then both, of which one might be revoked.
        #expect(world.responder.questions == asked + 3)
    }

    @Test func `in hard mode a missing answer refuses data for a minute, and the next verification queries`()
        async throws
    {
        let world = try World(.unreachable, .hard)
        #expect(await world.failure()?.code == .revocationUnknown)
        world.responder.become(.good)
        world.advance(.seconds(59))
        #expect(await world.failure()?.code == .revocationUnknown)
        #expect(world.responder.questions == 3)

        world.advance(.seconds(1))

        #expect(await world.failure() == nil)
    }

    @Test func `in soft mode an outage does not delay active chains, and an old one has no effect`()
        async throws
    {
        let world = try World(.unreachable, .soft)
        #expect(await world.failure() == nil)
        world.responder.become(.revoked)
        world.advance(.seconds(60))
        world.responder.close()
        // The responder delays the new query; verifications do not wait for it.
        #expect(await world.failure() == nil)
        world.responder.open()
        await world.checker.waitForRequests()
        #expect(await world.failure()?.code == .certificateRevoked)

        let quiet = try World(.unreachable, .soft)
        #expect(await quiet.failure() == nil)
        quiet.responder.become(.revoked)
        quiet.advance(.seconds(120))
        #expect(await quiet.failure()?.code == .certificateRevoked)
    }

    @Test func `the time for which a missing answer is stored is configurable`() async throws {
        let world = try World(.unreachable, .hard, schedule: RevocationSchedule(retryAfter: .seconds(5)))
        #expect(await world.failure()?.code == .revocationUnknown)
        world.responder.become(.good)
        world.advance(.seconds(5))

        #expect(await world.failure() == nil)
    }

    @Test func `the configured number of chains is stored, and the least recently used is evicted first`() async throws
    {
        let checkerWorld = try World(.good, .hard)
        let checker = RevocationChecker(
            transport: checkerWorld.responder,
            schedule: RevocationSchedule(),
            capacity: 2,
            now: { Samples.signedDate }
        )
        let responder = checkerWorld.responder
        // The same keys with other leaves: the responder's signatures are valid for all of them.
        let verifiers = try (1...3).map { number in
            try checkerWorld.another(number).checking(with: checker)
        }
        func questions(_ index: Int) async -> Int {
            let before = responder.questions
            _ = await verifiers[index].verifier.verifyTransaction(verifiers[index].jws)
            return responder.questions - before
        }

        #expect(await questions(0) == 2)
        #expect(await questions(1) == 2)
        #expect(await questions(0) == 0)
        #expect(await questions(2) == 2)
        #expect(await questions(0) == 0)
        #expect(await questions(1) == 2)
    }

    @Test func `the trace ends with the certificate authority's answer`() async throws {
        let good = try World(.good, .hard)
        let revoked = try World(.revoked, .soft)
        let silent = try World(.unreachable, .soft)

        let trace = await good.verifier.trace(try good.sign(good.samples.transaction()))
        #expect(trace.isVerified)
        #expect(trace.steps.last?.name == .revocation)
        #expect(trace.steps.last?.outcome == .passed)
        let refusal = await revoked.verifier.trace(try revoked.sign(revoked.samples.transaction()))
        #expect(await revoked.failure() == refusal.failure)
        #expect(refusal.steps.last?.outcome == .failed)
        let tolerated = await silent.verifier.trace(try silent.sign(silent.samples.transaction()))
        #expect(tolerated.isVerified)
        #expect(tolerated.steps.last?.notes == ["leaf and intermediate: unreachable"])
        let early = await revoked.verifier.trace(Array("a.b.c".utf8))
        #expect(early.failure?.code == .malformedJWS)
        #expect(early.steps.last?.outcome == .notReached)
    }
}

/// A chain with a responder, the responder, a clock and a verifier that queries it.
private struct World {
    static let address = "http://ocsp.example/local"

    let samples: Samples
    let chain: TestChain
    let responder: OCSPResponder
    let checker: RevocationChecker
    let verifier: OnlineSignedDataVerifier
    private let clock: Clock

    private final class Clock: Sendable {
        private let milliseconds = Mutex(Samples.signedDate)

        var now: Int64 { milliseconds.withLock { $0 } }

        func advance(_ duration: Duration) {
            milliseconds.withLock { $0 += duration.components.seconds * 1000 }
        }
    }

    init(
        _ behaviour: OCSPResponder.Behaviour,
        _ mode: RevocationFailureMode,
        address: String? = World.address,
        schedule: RevocationSchedule = RevocationSchedule()
    ) throws {
        let clock = Clock()
        samples = try Samples()
        var recipe = TestChainRecipe()
        recipe.ocspAddress = address
        chain = try TestChain(keys: samples.authority.keys, recipe: recipe)
        responder = try OCSPResponder(
            chain: chain,
            keys: samples.authority.keys,
            behaviour: behaviour,
            time: { clock.now }
        )
        checker = RevocationChecker(
            transport: responder,
            failureMode: mode,
            schedule: schedule,
            now: { clock.now }
        )
        verifier = SignedDataVerifier(roots: [try TrustedRoot(der: chain.root)], apps: [samples.app])
            .checkingRevocation(with: checker)
        self.clock = clock
    }

    func advance(_ duration: Duration) {
        clock.advance(duration)
    }

    func sign(_ payload: some JSONRepresentable) throws -> [UInt8] {
        let signer = JWSSigner(chain: chain.certificates, key: try samples.authority.leafKey)
        return Array(try signer.sign(payload: payload.jsonBytes).utf8)
    }

    /// Why a valid transaction with the chain is refused now.
    func failure() async -> VerificationFailure? {
        do {
            return await verifier.verifyTransaction(try sign(samples.transaction())).failure
        } catch {
            Issue.record(error)
            return nil
        }
    }

    /// A transaction with another leaf and the same root and intermediate.
    func another(_ number: Int64) throws -> Another {
        var recipe = TestChainRecipe()
        recipe.ocspAddress = World.address
        recipe.leafValidity = CertificateValidity(notBefore: 1_262_304_000 + number, notAfter: 4_102_444_800)
        let leaf = try TestChain(keys: samples.authority.keys, recipe: recipe).leaf
        let signer = JWSSigner(
            chain: [leaf, chain.intermediate, chain.root],
            key: try samples.authority.leafKey
        )
        let verifier = SignedDataVerifier(roots: [try TrustedRoot(der: chain.root)], apps: [samples.app])
        return Another(
            jws: Array(try signer.sign(payload: samples.transaction().jsonBytes).utf8),
            offline: verifier
        )
    }

    struct Another {
        let jws: [UInt8]
        let offline: SignedDataVerifier

        func checking(with checker: RevocationChecker) -> (jws: [UInt8], verifier: OnlineSignedDataVerifier) {
            (jws, offline.checkingRevocation(with: checker))
        }
    }
}
