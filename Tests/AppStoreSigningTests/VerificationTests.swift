import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Testing

@Suite struct `Verification of signed data` {
    @Test func `data signed by a configured root's chain is accepted`() throws {
        let samples = try Samples()

        let transaction = samples.verifier.verifyTransaction(try samples.sign(samples.transaction()))
        let renewalInfo = samples.verifier.verifyRenewalInfo(try samples.sign(samples.renewalInfo()))

        #expect(transaction == .verified(samples.transaction()))
        #expect(renewalInfo == .verified(samples.renewalInfo()))
    }

    @Test func `a notification comes with its transaction and renewal information decoded`() throws {
        let samples = try Samples()
        let notification = try samples.notification(
            transaction: samples.transaction(),
            renewalInfo: samples.renewalInfo()
        )

        let verified = try samples.verifier.verifyNotification(try samples.sign(notification)).get()

        #expect(verified.payload == notification)
        #expect(verified.transaction == samples.transaction())
        #expect(verified.renewalInfo == samples.renewalInfo())
        #expect(verified.app == samples.app)
    }

    @Test func `a notification without a transaction is accepted`() throws {
        let samples = try Samples()
        let verified = try samples.verifier.verifyNotification(try samples.sign(try samples.notification())).get()

        #expect(verified.transaction == nil)
        #expect(verified.renewalInfo == nil)
    }

    @Test func `unknown fields survive verification`() throws {
        let samples = try Samples()
        var payload = samples.transaction()
        payload.unknownFields["newField"] = .object(["inside": .array([.integer(1), .null])])

        #expect(samples.verifier.verifyTransaction(try samples.sign(payload)) == .verified(payload))
    }

    @Test func `a transaction is not accepted as a notification nor the other way round`() throws {
        let samples = try Samples()
        let transaction = try samples.sign(samples.transaction())
        let notification = try samples.sign(try samples.notification())

        #expect(samples.verifier.verifyNotification(transaction).failure?.code == .payloadMalformed)
        #expect(samples.verifier.verifyTransaction(notification).failure?.code == .payloadMalformed)
    }

    @Test(arguments: [AppStoreEnvironment.xcode, .localTesting, .sandbox, .production])
    func `no environment disables the signature check`(environment: AppStoreEnvironment) throws {
        let samples = try Samples(environment: environment)
        let stranger = try Samples(environment: environment)
        var forged = Array(try samples.sign(samples.transaction()).utf8)
        let genuine = Array(try stranger.sign(samples.transaction()).utf8)
        forged.replaceSubrange((forged.count - 86)..., with: genuine.suffix(86))

        #expect(samples.verifier.verifyTransaction(forged).failure?.code == .signatureInvalid)
        #expect(samples.verifier.verifyTransaction(genuine).failure?.code == .chainNotTrusted)
    }

    @Test func `a signer with the keys of an earlier one is the same authority`() throws {
        let first = try TestAuthority()
        let keys = try TestAuthorityKeys(
            rootPEM: first.keys.rootPEM,
            intermediatePEM: first.keys.intermediatePEM,
            leafPEM: first.keys.leafPEM
        )
        let second = try TestAuthority(keys: keys)
        let samples = try Samples()
        let verifier = SignedDataVerifier(roots: [first.trustedRoot], apps: [samples.app])

        let jws = try second.signer.sign(payload: samples.transaction().jsonBytes)

        #expect(verifier.verifyTransaction(jws) == .verified(samples.transaction()))
    }
}
