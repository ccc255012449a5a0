import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import SwiftASN1
import Testing
@_spi(FixedExpiryValidationTime) import X509

/// Our rules for the fixed path against the path search of swift-certificates, which shares no code with them.
@Suite struct `Chains beside X509's own verifier` {
    @Test(arguments: [
        "good", "leaf is authority", "intermediate is no authority", "foreign", "reordered", "unknown demand",
    ])
    func `nothing is accepted that the library's own verifier refuses`(variant: String) async throws {
        let authority = try TestAuthority()
        var recipe = TestChainRecipe()
        recipe.leafIsAuthority = variant == "leaf is authority"
        recipe.intermediateIsAuthority = variant != "intermediate is no authority"
        recipe.leafHasUnknownDemand = variant == "unknown demand"
        let keys = variant == "foreign" ? TestAuthorityKeys() : authority.keys
        var chain = try TestChain(keys: keys, recipe: recipe).certificates
        if variant == "reordered" { chain.swapAt(0, 1) }
        chain[2] = authority.rootCertificateDER

        let libraryAccepts = try await Self.libraryAccepts(chain, root: authority.rootCertificateDER)
        let policy = ChainPolicy(roots: [authority.trustedRoot])
        let isAccepted = (try? policy.verify(chain)) != nil

        #expect(isAccepted == (variant == "good"))
        #expect(!isAccepted || libraryAccepts)
    }

    private static func libraryAccepts(_ chain: [[UInt8]], root: [UInt8]) async throws -> Bool {
        var verifier = Verifier(rootCertificates: CertificateStore([try Certificate(derEncoded: root)])) {
            RFC5280Policy(fixedExpiryValidationTime: Date(timeIntervalSince1970: 1_790_000_000))
        }
        let result = await verifier.validate(
            leaf: try Certificate(derEncoded: chain[0]),
            intermediates: CertificateStore([try Certificate(derEncoded: chain[1])])
        )
        if case .validCertificate = result { return true }
        return false
    }
}
