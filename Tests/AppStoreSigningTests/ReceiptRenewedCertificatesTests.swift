import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Testing

/// Receipts with renewed certificates: old and new have the same name and key, and are both included.
@Suite struct `Receipts under renewed certificates` {
    private static let second = ReceiptSamples.creationDate / 1000
    private static let past = CertificateValidity(notBefore: second - 1000, notAfter: second - 1)
    private static let future = CertificateValidity(notBefore: second + 1, notAfter: second + 1000)

    /// A receipt with the certificates of several chains before those of a valid or another one.
    private func receipt(
        _ renewed: [TestChainRecipe],
        chain: TestChainRecipe = TestChainRecipe(),
        namesSignerByKeyIdentifier: Bool = false
    ) throws -> [UInt8] {
        var recipe = TestReceiptRecipe()
        recipe.chain = chain
        recipe.renewedChains = renewed
        recipe.namesSignerByKeyIdentifier = namesSignerByKeyIdentifier
        return try ReceiptSamples.authority.mint(ReceiptSamples.receipt, recipe: recipe)
    }

    /// The refusals of a verifier that trusts all of its roots, in order.
    private func refusal(_ bytes: [UInt8]) throws -> VerificationFailure.Code? {
        let certificates = try UnverifiedReceipt.decode(bytes).certificates
        // Leaf, intermediate, root of each chain.
        let roots = try stride(from: 2, to: certificates.count, by: 3).map { try ReceiptRoot(der: certificates[$0]) }
        return ReceiptVerifier(roots: roots).verify(bytes).failure?.code
    }

    private func recipe(_ change: (inout TestChainRecipe) -> Void) -> TestChainRecipe {
        var recipe = TestChainRecipe()
        change(&recipe)
        return recipe
    }

    @Test func `an expired certificate is ignored if the renewed one was valid`() throws {
        for validity in [Self.past, Self.future] {
            for certificate in [
                \TestChainRecipe.rootValidity, \TestChainRecipe.intermediateValidity, \TestChainRecipe.leafValidity,
            ] {
                let other = recipe { $0[keyPath: certificate] = validity }

                #expect(try refusal(receipt([other])) == nil)
                #expect(try refusal(receipt([other], chain: other)) == .certificateNotValidAtSigning)
            }
        }
    }

    @Test func `a certificate that violates a rule is ignored if the renewed one is valid`() throws {
        let powerless = recipe { $0.intermediateIsAuthority = false }
        let unmarked = recipe { $0.intermediateHasMarker = false }
        let unmarkedLeaf = recipe { $0.leafHasMarker = false }
        let demanding = recipe { $0.leafHasUnknownDemand = true }
        let silent = recipe { $0.leafMaySign = false }
        for other in [powerless, unmarked, unmarkedLeaf, demanding, silent] {
            #expect(try refusal(receipt([other])) == nil)
            #expect(try refusal(receipt([other], namesSignerByKeyIdentifier: true)) == nil)
        }
    }

    @Test func `if no path is valid, the error of the first one is reported`() throws {
        let unmarked = recipe { $0.intermediateHasMarker = false }
        let demanding = recipe { $0.leafHasUnknownDemand = true }
        let broken = recipe {
            $0.intermediateHasMarker = false
            $0.leafHasUnknownDemand = true
        }

        #expect(try refusal(receipt([unmarked], chain: unmarked)) == .markerOIDMissing)
        #expect(try refusal(receipt([broken], chain: demanding)) == .chainNotTrusted)
    }

    @Test func `all certificates of one path must have been valid together`() throws {
        let before = recipe { $0.intermediateValidity = Self.past }
        let after = recipe { $0.intermediateValidity = Self.future }

        #expect(try refusal(receipt([before], chain: after)) == .certificateNotValidAtSigning)
    }

    @Test func `only configured roots count, however many are in the receipt`() throws {
        let other = recipe { $0.rootValidity = Self.past }
        let bytes = try receipt([other])
        let certificates = try UnverifiedReceipt.decode(bytes).certificates

        let old = ReceiptVerifier(roots: [try ReceiptRoot(der: certificates[2])])
        #expect(old.verify(bytes).failure?.code == .certificateNotValidAtSigning)
        let new = ReceiptVerifier(roots: [try ReceiptRoot(der: certificates[5])])
        #expect(new.verify(bytes).failure == nil)
        #expect(ReceiptVerifier().verify(bytes).failure?.code == .chainNotTrusted)
    }
}
