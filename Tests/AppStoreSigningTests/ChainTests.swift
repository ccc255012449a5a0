import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Crypto
import Testing

@Suite struct `Certificate chains` {
    @Test func `Apple's root is built in with the fingerprint that Apple publishes`() {
        #expect(
            TrustedRoot.appleRootCAG3.fingerprint == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"
        )
    }

    @Test(arguments: [0, 1, 2, 4])
    func `a chain of another number of certificates than three is refused`(count: Int) throws {
        let samples = try Samples()
        let certificates = samples.authority.chain.certificates
        let jws = try samples.transaction(withChain: (0..<count).map { certificates[min($0, 2)] })

        #expect(samples.verifier.verifyTransaction(jws).failure?.code == .chainLength)
    }

    @Test(arguments: [[1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1], [0, 0, 2], [0, 2, 2], [2, 2, 2]])
    func `a chain in another order is refused`(order: [Int]) throws {
        let samples = try Samples()
        let certificates = samples.authority.chain.certificates
        let jws = try samples.transaction(withChain: order.map { certificates[$0] })

        #expect(samples.verifier.verifyTransaction(jws).failure?.code == .chainNotTrusted)
    }

    @Test func `a foreign chain with the same names is refused`() throws {
        let samples = try Samples()
        let foreign = try Samples()

        let failure = samples.verifier.verifyTransaction(try foreign.sign(foreign.transaction())).failure

        #expect(failure?.code == .chainNotTrusted)
        #expect(failure?.isRetryable == false)
    }

    @Test func `a foreign leaf and intermediate before the trusted root are refused`() throws {
        let samples = try Samples()
        let foreign = try Samples()
        let mixed = foreign.authority.chain.certificates.prefix(2) + [samples.authority.rootCertificateDER]
        let jws = try JWSSigner(chain: Array(mixed), key: foreign.authority.leafKey)
            .sign(payload: samples.transaction().jsonBytes)

        #expect(samples.verifier.verifyTransaction(jws).failure?.code == .chainNotTrusted)
    }

    @Test func `a foreign leaf under the trusted intermediate's name is refused`() throws {
        let samples = try Samples()
        let foreign = try Samples()
        let mixed = [foreign.authority.chain.leaf] + samples.authority.chain.certificates.suffix(2)
        let jws = try JWSSigner(chain: mixed, key: foreign.authority.leafKey)
            .sign(payload: samples.transaction().jsonBytes)

        #expect(samples.verifier.verifyTransaction(jws).failure?.code == .chainNotTrusted)
    }

    @Test func `a leaf or intermediate without Apple's marker is refused`() throws {
        let samples = try Samples()
        var recipe = TestChainRecipe()
        recipe.leafHasMarker = false
        #expect(samples.failure(recipe)?.code == .markerOIDMissing)
        recipe = TestChainRecipe()
        recipe.intermediateHasMarker = false
        #expect(samples.failure(recipe)?.code == .markerOIDMissing)
    }

    @Test func `certificates without the required permissions are refused`() throws {
        let samples = try Samples()
        let defects: [WritableKeyPath<TestChainRecipe, Bool>] = [\.leafIsAuthority, \.leafHasUnknownDemand]
        for defect in defects {
            var recipe = TestChainRecipe()
            recipe[keyPath: defect] = true
            #expect(samples.failure(recipe)?.code == .chainNotTrusted)
        }
        for ability: WritableKeyPath<TestChainRecipe, Bool> in [\.intermediateIsAuthority, \.leafMaySign] {
            var recipe = TestChainRecipe()
            recipe[keyPath: ability] = false
            #expect(samples.failure(recipe)?.code == .chainNotTrusted)
        }
    }

    @Test func `a leaf with a key that ES256 cannot use is refused`() throws {
        var recipe = TestChainRecipe()
        recipe.leafCurve = .p384

        #expect(try Samples().failure(recipe)?.code == .algorithmNotSupported)
    }

    @Test(arguments: ["leaf", "intermediate", "root"])
    func `each certificate must be valid when the payload was signed`(role: String) throws {
        let samples = try Samples()
        let short = CertificateValidity(notBefore: 1_700_000_000, notAfter: 1_800_000_000)
        var recipe = TestChainRecipe()
        recipe.leafValidity = role == "leaf" ? short : .wide
        recipe.intermediateValidity = role == "intermediate" ? short : .wide
        recipe.rootValidity = role == "root" ? short : .wide
        let chain = try TestChain(keys: samples.authority.keys, recipe: recipe)
        let verifier = SignedDataVerifier(roots: [try TrustedRoot(der: chain.root)], apps: [samples.app])
        func code(_ signedDate: Int64) throws -> VerificationFailure.Code? {
            let jws = try samples.transaction(withChain: chain.certificates, signedDate: signedDate)
            return verifier.verifyTransaction(jws).failure?.code
        }

        #expect(try code(1_699_999_999_999) == .certificateNotValidAtSigning)
        #expect(try code(1_700_000_000_000) == nil)
        #expect(try code(1_800_000_000_000) == nil)
        #expect(try code(1_800_000_000_001) == .certificateNotValidAtSigning)
    }

    @Test(arguments: ["", "AAAA", "!!!!", "MIIB"])
    func `an invalid certificate is refused`(text: String) throws {
        let samples = try Samples()
        let x5c = samples.x5c.split(separator: ",")
        let jws = try samples.transaction(headerJSON: "{\"alg\":\"ES256\",\"x5c\":[\"\(text)\",\(x5c[1]),\(x5c[2])}")

        #expect(samples.verifier.verifyTransaction(jws).failure?.code == .certificateMalformed)
    }

    @Test func `a root is a self-signed authority, in DER or PEM`() throws {
        let authority = try TestAuthority()

        #expect(try TrustedRoot(der: authority.rootCertificateDER) == authority.trustedRoot)
        #expect(try TrustedRoot(pem: authority.rootCertificatePEM) == authority.trustedRoot)
        #expect(throws: SigningError.self) { try TrustedRoot(der: authority.chain.leaf) }
        #expect(throws: SigningError.self) { try TrustedRoot(der: authority.chain.intermediate) }
        #expect(throws: SigningError.self) { try TrustedRoot(pem: "no certificate") }
        #expect(throws: SigningError.self) { try TrustedRoot(pem: authority.keys.rootPEM) }
    }
}

extension Samples {
    /// Why a valid transaction with an invalid chain is refused.
    fileprivate func failure(_ recipe: TestChainRecipe) -> VerificationFailure? {
        do {
            return verifier.verifyTransaction(try transaction(under: recipe)).failure
        } catch {
            Issue.record(error)
            return nil
        }
    }
}
