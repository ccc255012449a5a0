import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Testing

@Suite(.enabled(if: Vectors.isConfigured, Comment(rawValue: Vectors.skipReason)))
struct `Data that Apple signed` {
    @Test func `the real chain of the App Store verifies against the built-in root`() throws {
        let root = try Vectors.bytes("apple-pki/AppleRootCA-G3.der")
        let chain = try ChainPolicy(roots: [.appleRootCAG3]).verify([
            try Vectors.bytes("apple-pki/store-receipt-signing-production-leaf.der"),
            try Vectors.bytes("apple-pki/AppleWWDRCA-G6.der"),
            root,
        ])

        #expect(TrustedRoot.appleRootCAG3.der == root)
        let anchor = try #require(chain.anchors.first)
        #expect(chain.anchors.count == 1)
        #expect(anchor.root == .appleRootCAG3)
        // 2025-09-19T19:44:51Z to 2027-10-13T17:47:23Z, the leaf's validity.
        #expect(anchor.validFrom == 1_758_311_091_000)
        #expect(anchor.validThrough == 1_823_449_643_000)
        #expect(!chain.isValid(at: anchor.validFrom - 1))
        #expect(!chain.isValid(at: anchor.validThrough + 1))
    }

    @Test func `the real chain is refused under any other root`() throws {
        let chain = [
            try Vectors.bytes("apple-pki/store-receipt-signing-production-leaf.der"),
            try Vectors.bytes("apple-pki/AppleWWDRCA-G6.der"),
            try Vectors.bytes("apple-pki/AppleRootCA-G3.der"),
        ]
        let policy = ChainPolicy(roots: [try TestAuthority().trustedRoot])

        #expect(throws: VerificationFailure.self) { try policy.verify(chain) }
    }

    @Test(arguments: ["xcode-signed-transaction", "xcode-signed-renewal-info", "xcode-signed-app-transaction"])
    func `Xcode's data is refused for its chain, and decodes without verification`(name: String) throws {
        let jws = try Vectors.bytes("xcode/\(name)").filter { $0 != UInt8(ascii: "\n") }
        let app = AppIdentity(bundleId: "com.example.naturelab.backyardbirds.example", environment: .xcode)
        let verifier = SignedDataVerifier(apps: [app])

        #expect(verifier.verifyTransaction(jws).failure?.code == .chainLength)
        #expect(verifier.verifyRenewalInfo(jws).failure?.code == .chainLength)
        #expect(verifier.verifyNotification(jws).failure?.code == .chainLength)
        let decoded = try UnverifiedJWS.decode(jws)
        #expect(decoded.header["kid"] == .string("Apple_Xcode_Key"))
        let environment = decoded.payload["environment"] ?? decoded.payload["receiptType"]
        #expect(environment == .string("Xcode"))
    }
}
