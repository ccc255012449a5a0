import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Testing

@Suite struct `Trusted roots` {
    @Test func `one verifier accepts the chains of every configured root, and of no other`() throws {
        let first = try Samples()
        let second = try Samples()
        let stranger = try Samples()
        let verifier = SignedDataVerifier(
            roots: [.appleRootCAG3, first.authority.trustedRoot, second.authority.trustedRoot],
            apps: [first.app]
        )

        for _ in 0..<2 {
            for samples in [first, second] {
                let jws = try samples.sign(samples.transaction())
                #expect(verifier.verifyTransaction(jws) == .verified(samples.transaction()))
            }
            let jws = try stranger.sign(stranger.transaction())
            #expect(verifier.verifyTransaction(jws).failure?.code == .chainNotTrusted)
        }
    }

    @Test func `a root that is limited to an app signs for no other app and no other environment`() throws {
        let (apple, store) = (try Samples(), try Samples())
        let environments: [AppStoreEnvironment] = [.production, .sandbox]
        let apps = ["com.example.a", "com.example.b"].flatMap { bundleId in
            environments.map { AppIdentity(bundleId: bundleId, appAppleId: 7, environment: $0) }
        }
        let own = AppIdentity(bundleId: "com.example.a", environment: .sandbox)
        let verifier = SignedDataVerifier(
            roots: [apple.authority.trustedRoot],
            scopedRoots: [ScopedRoot(store.authority.trustedRoot, for: [own])],
            apps: apps
        )
        // Twice: the second time the chain is cached.
        for app in apps + apps {
            let isOwn = app.bundleId == own.bundleId && app.environment == own.environment
            var transaction = store.transaction()
            transaction.bundleId = app.bundleId
            transaction.environment = app.environment
            let refused: VerificationFailure.Code? = isOwn ? nil : .chainNotTrusted
            let signed = try store.sign(transaction)
            #expect(verifier.verifyTransaction(signed).failure?.code == refused)
            #expect(
                verifier.verifyTransactions([Array(signed.utf8), Array(signed.utf8)]).map { $0.failure?.code } == [
                    refused, refused,
                ]
            )
            var notification = try store.notification(transaction: transaction)
            notification.data?.bundleId = app.bundleId
            notification.data?.environment = app.environment
            notification.data?.appAppleId = 7
            #expect(verifier.verifyNotification(try store.sign(notification)).failure?.code == refused)
            var renewal = store.renewalInfo()
            renewal.environment = app.environment
            let refusedRenewal: VerificationFailure.Code? = app.environment == .sandbox ? nil : .chainNotTrusted
            #expect(verifier.verifyRenewalInfo(try store.sign(renewal)).failure?.code == refusedRenewal)
            #expect(verifier.verifyTransaction(try apple.sign(transaction)).failure == nil)
        }
    }

    @Test func `one verifier serves many apps and environments, each with its own`() throws {
        let samples = try Samples()
        let apps = ["com.example.a", "com.example.b"].flatMap { bundleId in
            [AppStoreEnvironment.production, .sandbox].map {
                AppIdentity(bundleId: bundleId, appAppleId: 7, environment: $0)
            }
        }
        let verifier = SignedDataVerifier(roots: [samples.authority.trustedRoot], apps: apps)

        for app in apps {
            var payload = samples.transaction()
            payload.bundleId = app.bundleId
            payload.environment = app.environment
            #expect(verifier.verifyTransaction(try samples.sign(payload)) == .verified(payload))
            payload.environment = .xcode
            #expect(verifier.verifyTransaction(try samples.sign(payload)).failure?.code == .environmentMismatch)
        }
    }

    @Test func `a root that was renewed with its key is accepted, whichever of the two is configured or sent`() throws {
        let renewal = try Renewal()
        let configurations = [[renewal.oldRoot], [renewal.newRoot], [renewal.oldRoot, renewal.newRoot]]
        for roots in configurations {
            let verifier = SignedDataVerifier(roots: roots, apps: [renewal.samples.app])
            for sent in [renewal.oldRoot, renewal.newRoot] {
                // Both roots are valid in 2021.
                #expect(verifier.verifyTransaction(try renewal.transaction(sent, year: 2021)).failure == nil)
            }
        }
    }

    @Test func `with both roots configured, data is valid under either, whichever is sent`() throws {
        let renewal = try Renewal()
        let both = SignedDataVerifier(roots: [renewal.oldRoot, renewal.newRoot], apps: [renewal.samples.app])
        let old = SignedDataVerifier(roots: [renewal.oldRoot], apps: [renewal.samples.app])
        let new = SignedDataVerifier(roots: [renewal.newRoot], apps: [renewal.samples.app])

        for sent in [renewal.oldRoot, renewal.newRoot] {
            let early = try renewal.transaction(sent, year: 2015)
            let late = try renewal.transaction(sent, year: 2030)
            #expect(both.verifyTransaction(early).failure == nil)
            #expect(both.verifyTransaction(late).failure == nil)
            #expect(old.verifyTransaction(late).failure?.code == .certificateNotValidAtSigning)
            #expect(new.verifyTransaction(early).failure?.code == .certificateNotValidAtSigning)
        }
    }

    @Test func `a root with the same name and another key is another root`() throws {
        let samples = try Samples()
        let impostor = try TestAuthority()
        let sentAsRoot = [
            samples.authority.chain.leaf, samples.authority.chain.intermediate, impostor.rootCertificateDER,
        ]

        let failure = samples.verifier.verifyTransaction(try samples.transaction(withChain: sentAsRoot)).failure

        #expect(failure?.code == .chainNotTrusted)
    }
}

/// A root valid from 2010 to 2022 and, with the same key, from 2020 to 2040.
private struct Renewal {
    let samples: Samples
    let oldRoot: TrustedRoot
    let newRoot: TrustedRoot

    init() throws {
        samples = try Samples()
        var recipe = TestChainRecipe()
        recipe.rootValidity = CertificateValidity(notBefore: 1_262_304_000, notAfter: 1_640_995_200)
        oldRoot = try TrustedRoot(der: TestChain(keys: samples.authority.keys, recipe: recipe).root)
        recipe.rootValidity = CertificateValidity(notBefore: 1_577_836_800, notAfter: 2_208_988_800)
        newRoot = try TrustedRoot(der: TestChain(keys: samples.authority.keys, recipe: recipe).root)
    }

    func transaction(_ sent: TrustedRoot, year: Int64) throws -> String {
        let chain = samples.authority.chain
        let middle = (year - 1970) * 31_556_952_000 + 15_000_000_000
        return try samples.transaction(withChain: [chain.leaf, chain.intermediate, sent.der], signedDate: middle)
    }
}
