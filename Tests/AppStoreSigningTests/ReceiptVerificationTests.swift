import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import SwiftASN1
import Testing

@Suite struct `Verification of receipts` {
    @Test func `receipts of the test authority verify with their original content`() throws {
        let bytes = try ReceiptSamples.authority.mint(ReceiptSamples.receipt)

        #expect(try ReceiptSamples.verifier.verify(bytes).get() == ReceiptSamples.receipt)
        let text = try ReceiptSamples.authority.mintBase64(ReceiptSamples.receipt)
        #expect(try ReceiptSamples.verifier.verify(text).get() == ReceiptSamples.receipt)
        #expect(try UnverifiedReceipt.decode(bytes).receipt == ReceiptSamples.receipt)
    }

    @Test(arguments: [false, true], [false, true])
    func `both digests, signed attributes and both identifications of the signer verify`(
        hasSignedAttributes: Bool,
        namesSignerByKeyIdentifier: Bool
    ) throws {
        for digest in [TestReceiptRecipe.Digest.sha1, .sha256] {
            for hasIndefiniteLengths in [false, true] {
                let code = try ReceiptSamples.refusal { recipe in
                    recipe.digest = digest
                    recipe.hasSignedAttributes = hasSignedAttributes
                    recipe.namesSignerByKeyIdentifier = namesSignerByKeyIdentifier
                    recipe.hasIndefiniteLengths = hasIndefiniteLengths
                }
                #expect(code == nil)
            }
        }
    }

    @Test func `signature algorithms with a digest verify if it is the correct one`() throws {
        #expect(try ReceiptSamples.refusal { $0.signatureAlgorithm = [1, 2, 840, 113_549, 1, 1, 11] } == nil)
        let wrong = try ReceiptSamples.refusal { $0.signatureAlgorithm = [1, 2, 840, 113_549, 1, 1, 5] }
        #expect(wrong == .algorithmNotSupported)
        let pss = try ReceiptSamples.refusal { $0.signatureAlgorithm = [1, 2, 840, 113_549, 1, 1, 10] }
        #expect(pss == .algorithmNotSupported)
    }

    @Test func `a digest that the App Store never used is refused, and one that is not allowed`() throws {
        #expect(try ReceiptSamples.refusal { $0.digest = .sha512 } == .digestAlgorithmNotSupported)
        var recipe = TestReceiptRecipe()
        recipe.digest = .sha1
        let bytes = try ReceiptSamples.authority.mint(ReceiptSamples.receipt, recipe: recipe)
        let strict = ReceiptVerifier(roots: [try ReceiptSamples.authority.receiptRoot], digests: [.sha256])
        #expect(strict.verify(bytes).failure?.code == .digestAlgorithmNotSupported)
    }

    @Test func `no signature and two signatures are refused`() throws {
        #expect(try ReceiptSamples.refusal { $0.signatures = 0 } == .receiptNotSigned)
        #expect(try ReceiptSamples.refusal { $0.signatures = 2 } == .receiptMalformed)
        #expect(try ReceiptSamples.refusal { $0.signatures = 3 } == .receiptMalformed)
    }

    @Test func `a content that is not the signed one is refused`() throws {
        var other = ReceiptSamples.receipt
        other.inAppPurchases = [ReceiptSamples.purchase(3)]
        let content = TestReceiptContent.bytes(other)

        #expect(try ReceiptSamples.refusal { $0.contentAfterSigning = content } == .signatureInvalid)
        let withAttributes = try ReceiptSamples.refusal {
            $0.contentAfterSigning = content
            $0.hasSignedAttributes = true
        }
        #expect(withAttributes == .receiptDigestMismatch)
    }

    @Test func `signed attributes with another digest or about another type of content are refused`() throws {
        let digest = try ReceiptSamples.refusal {
            $0.hasSignedAttributes = true
            $0.messageDigest = Array(repeating: 0, count: 32)
        }
        let truncated = try ReceiptSamples.refusal {
            $0.hasSignedAttributes = true
            $0.messageDigest = []
        }
        let type = try ReceiptSamples.refusal {
            $0.hasSignedAttributes = true
            $0.signedContentType = [1, 2, 840, 113_549, 1, 7, 2]
        }

        #expect(digest == .receiptDigestMismatch)
        #expect(truncated == .receiptDigestMismatch)
        #expect(type == .receiptMalformed)
    }

    @Test func `a receipt of an authority that is not configured is refused, though all its names are the same`() throws
    {
        let foreign = try ReceiptSamples.foreign.get().mint(ReceiptSamples.receipt)

        #expect(try ReceiptSamples.verifier.verify(foreign).failure?.code == .chainNotTrusted)
        #expect(ReceiptVerifier().verify(foreign).failure?.code == .chainNotTrusted)
    }

    @Test func `the certificates may come in any order`() throws {
        #expect(try ReceiptSamples.refusal { $0.certificates = .reversed } == nil)
    }

    @Test func `a root given as a certificate may be missing in the receipt, one given as a fingerprint may not`()
        throws
    {
        var recipe = TestReceiptRecipe()
        recipe.certificates = .withoutRoot
        let root = try ReceiptSamples.authority.receiptRoot
        let pinned = try ReceiptRoot(sha256: root.sha256)
        let bytes = try ReceiptSamples.authority.mint(ReceiptSamples.receipt, recipe: recipe)
        let whole = try ReceiptSamples.authority.mint(ReceiptSamples.receipt)

        #expect(ReceiptVerifier(roots: [root]).verify(bytes).failure == nil)
        #expect(ReceiptVerifier(roots: [pinned]).verify(bytes).failure?.code == .chainNotTrusted)
        #expect(ReceiptVerifier(roots: [pinned]).verify(whole).failure == nil)
    }

    @Test(arguments: [TestReceiptRecipe.Certificates.withoutIntermediate, .withoutLeaf, .none])
    func `a missing certificate is not replaced`(certificates: TestReceiptRecipe.Certificates) throws {
        #expect(try ReceiptSamples.refusal { $0.certificates = certificates } == .chainNotTrusted)
    }

    @Test func `certificates without Apple's markers are refused`() throws {
        var leaf = TestChainRecipe()
        leaf.leafHasMarker = false
        var intermediate = TestChainRecipe()
        intermediate.intermediateHasMarker = false

        #expect(try ReceiptSamples.refusal { $0.chain = leaf } == .markerOIDMissing)
        #expect(try ReceiptSamples.refusal { $0.chain = intermediate } == .markerOIDMissing)
    }

    @Test func `certificates without the required permissions are refused`() throws {
        var authorityLeaf = TestChainRecipe()
        authorityLeaf.leafIsAuthority = true
        var leafWithoutSigning = TestChainRecipe()
        leafWithoutSigning.leafMaySign = false
        var demandingLeaf = TestChainRecipe()
        demandingLeaf.leafHasUnknownDemand = true
        var powerlessIntermediate = TestChainRecipe()
        powerlessIntermediate.intermediateIsAuthority = false

        for chain in [authorityLeaf, leafWithoutSigning, demandingLeaf, powerlessIntermediate] {
            #expect(try ReceiptSamples.refusal { $0.chain = chain } == .chainNotTrusted)
        }
    }

    @Test func `every certificate must have been valid when the receipt was made`() throws {
        let second = ReceiptSamples.creationDate / 1000
        let past = CertificateValidity(notBefore: second - 1000, notAfter: second - 1)
        let future = CertificateValidity(notBefore: second + 1, notAfter: second + 1000)
        let exact = CertificateValidity(notBefore: second, notAfter: second)
        for validity in [past, future] {
            for certificate in [
                \TestChainRecipe.rootValidity, \TestChainRecipe.intermediateValidity, \TestChainRecipe.leafValidity,
            ] {
                var chain = TestChainRecipe()
                chain[keyPath: certificate] = validity
                // Another root certificate with the same key is a different root: it is configured here.
                let bytes = try mint(chain: chain)
                #expect(
                    try verifier(trustingRootOf: bytes).verify(bytes).failure?.code == .certificateNotValidAtSigning
                )
            }
        }
        let bytes = try mint(chain: TestChainRecipe(validity: exact))
        #expect(try verifier(trustingRootOf: bytes).verify(bytes).failure == nil)
    }

    @Test func `a receipt without a creation date is refused, even with a given time`() throws {
        var receipt = ReceiptSamples.receipt
        receipt.creationDate = nil
        let bytes = try ReceiptSamples.authority.mint(receipt)
        let root = try ReceiptSamples.authority.receiptRoot

        #expect(ReceiptVerifier(roots: [root]).verify(bytes).failure?.code == .receiptMalformed)
        let given = ReceiptVerifier(roots: [root], validity: .at(ReceiptSamples.creationDate))
        #expect(given.verify(bytes).failure?.code == .receiptMalformed)
        #expect(try UnverifiedReceipt.decode(bytes).receipt == receipt)
    }

    private func mint(chain: TestChainRecipe) throws -> [UInt8] {
        var recipe = TestReceiptRecipe()
        recipe.chain = chain
        return try ReceiptSamples.authority.mint(ReceiptSamples.receipt, recipe: recipe)
    }

    private func verifier(trustingRootOf bytes: [UInt8]) throws -> ReceiptVerifier {
        let root = try #require(try UnverifiedReceipt.decode(bytes).certificates.last)
        return ReceiptVerifier(roots: [try ReceiptRoot(der: root)])
    }
}

@Suite struct `Expectations of receipts` {
    private func refusal(_ expectation: ReceiptExpectation) throws -> VerificationFailure.Code? {
        let root = try ReceiptSamples.authority.receiptRoot
        let bytes = try ReceiptSamples.authority.mint(ReceiptSamples.receipt, forDevice: ReceiptSamples.device)
        return ReceiptVerifier(roots: [root], expecting: expectation).verify(bytes).failure?.code
    }

    @Test func `the bundle identifier is compared byte for byte`() throws {
        // Equal texts to Swift: the letter é as one scalar and as two.
        let bundleId = "com.example.caf\u{E9}"
        let receipt = AppReceipt(
            bundleId: bundleId,
            receiptType: .productionSandbox,
            creationDate: ReceiptSamples.creationDate
        )
        let bytes = try ReceiptSamples.authority.mint(receipt)
        let root = try ReceiptSamples.authority.receiptRoot
        let same = ReceiptVerifier(roots: [root], expecting: ReceiptExpectation(bundleId: bundleId))
        #expect(same.verify(bytes).failure == nil)
        let other = ReceiptVerifier(roots: [root], expecting: ReceiptExpectation(bundleId: "com.example.cafe\u{301}"))
        #expect(other.verify(bytes).failure?.code == .bundleIdMismatch)
    }

    @Test func `app and environment are compared when they are expected`() throws {
        let app = AppIdentity(bundleId: ReceiptSamples.bundleId, environment: .sandbox)
        #expect(try refusal(ReceiptExpectation(app)) == nil)
        #expect(try refusal(ReceiptExpectation(bundleId: "com.example.other")) == .bundleIdMismatch)
        #expect(try refusal(ReceiptExpectation(environment: .production)) == .environmentMismatch)
        #expect(try refusal(.anything) == nil)
    }

    @Test func `the hash binds a receipt to its device`() throws {
        #expect(try refusal(ReceiptExpectation(deviceIdentifier: ReceiptSamples.device)) == nil)
        let other = Array(ReceiptSamples.device.reversed())
        #expect(try refusal(ReceiptExpectation(deviceIdentifier: other)) == .deviceHashMismatch)
        #expect(try refusal(ReceiptExpectation(deviceIdentifier: [])) == .deviceHashMismatch)
    }

    @Test(arguments: [
        (ReceiptType.production, AppStoreEnvironment.production), (.productionVPP, .production),
        (.productionSandbox, .sandbox), (.productionVPPSandbox, .sandbox), (.xcode, .xcode),
    ])
    func `every kind of receipt has its environment`(type: ReceiptType, environment: AppStoreEnvironment) {
        #expect(type.environment == environment)
        #expect(type.isDocumented)
        #expect(ReceiptType(rawValue: "Moon").environment == AppStoreEnvironment(rawValue: "Moon"))
    }

    @Test func `a restored authority creates receipts that still verify`() throws {
        let keys = try ReceiptSamples.authority.keys
        let kept = try TestReceiptKeys(
            rootPEM: keys.rootPEM,
            intermediatePEM: keys.intermediatePEM,
            leafPEM: keys.leafPEM
        )
        let again = try TestReceiptAuthority(keys: kept)

        #expect(again.receiptRoot == (try ReceiptSamples.authority.receiptRoot))
        let bytes = try again.mint(ReceiptSamples.receipt)
        #expect(try ReceiptSamples.verifier.verify(bytes).failure == nil)
        #expect(try ReceiptRoot(pem: again.rootCertificatePEM) == again.receiptRoot)
        #expect(throws: SigningError.self) {
            try TestReceiptKeys(rootPEM: keys.rootPEM, intermediatePEM: "", leafPEM: keys.leafPEM)
        }
    }

    @Test func `a fingerprint has 32 bytes`() {
        #expect(throws: SigningError.self) { try ReceiptRoot(sha256: []) }
        #expect(throws: SigningError.self) { try ReceiptRoot(sha256: Array(repeating: 0, count: 33)) }
        #expect(throws: SigningError.self) { try ReceiptRoot(der: [0x30, 0x00]) }
    }
}
