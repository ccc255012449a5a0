import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Testing

@Suite struct `The identity of an app` {
    @Test func `data of an app that is not configured is refused`() throws {
        let samples = try Samples()
        let verifier = samples.verifier(AppIdentity(bundleId: "com.example.other", environment: .production))

        #expect(verifier.verifyTransaction(try samples.sign(samples.transaction())).failure?.code == .appNotConfigured)
        #expect(
            verifier.verifyNotification(try samples.sign(try samples.notification())).failure?.code == .appNotConfigured
        )
    }

    @Test func `data of another app than the one expected is refused by its bundle id`() throws {
        let samples = try Samples()
        let verifier = SignedDataVerifier(
            roots: [samples.authority.trustedRoot],
            expecting: AppIdentity(bundleId: "com.example.other", environment: .production)
        )

        #expect(verifier.verifyTransaction(try samples.sign(samples.transaction())).failure?.code == .bundleIdMismatch)
    }

    @Test(arguments: [AppStoreEnvironment.sandbox, .xcode, .localTesting])
    func `data of another environment is refused`(environment: AppStoreEnvironment) throws {
        let samples = try Samples()
        let app = AppIdentity(bundleId: samples.app.bundleId, environment: environment)
        let verifier = samples.verifier(app)
        let notification = try samples.sign(try samples.notification())

        #expect(
            verifier.verifyTransaction(try samples.sign(samples.transaction())).failure?.code == .environmentMismatch
        )
        #expect(
            verifier.verifyRenewalInfo(try samples.sign(samples.renewalInfo())).failure?.code == .environmentMismatch
        )
        #expect(verifier.verifyNotification(notification).failure?.code == .environmentMismatch)
    }

    @Test(arguments: [nil, 42])
    func `a production notification must have the configured Apple id`(appAppleId: Int64?) throws {
        let samples = try Samples()
        let app = AppIdentity(bundleId: samples.app.bundleId, appAppleId: appAppleId, environment: .production)

        let failure = samples.verifier(app).verifyNotification(try samples.sign(try samples.notification())).failure

        #expect(failure?.code == .appAppleIdMismatch)
    }

    @Test func `a sandbox notification needs no Apple id`() throws {
        let samples = try Samples(environment: .sandbox)
        var notification = try samples.notification()
        notification.data?.appAppleId = nil

        #expect(samples.verifier.verifyNotification(try samples.sign(notification)).failure == nil)
    }

    @Test func `the inner data of a notification must belong to the same app and environment`() throws {
        let samples = try Samples()
        var otherApp = samples.transaction()
        otherApp.bundleId = "com.example.other"
        var otherWorld = samples.transaction()
        otherWorld.environment = .sandbox
        var otherRenewal = samples.renewalInfo()
        otherRenewal.environment = .sandbox
        func code(_ notification: ResponseBodyV2DecodedPayload) throws -> VerificationFailure.Code? {
            samples.verifier.verifyNotification(try samples.sign(notification)).failure?.code
        }

        #expect(try code(samples.notification(transaction: otherApp)) == .bundleIdMismatch)
        #expect(try code(samples.notification(transaction: otherWorld)) == .environmentMismatch)
        #expect(try code(samples.notification(renewalInfo: otherRenewal)) == .environmentMismatch)
    }

    @Test func `the unreadable field is reported, with the app, in an envelope and inside it`() throws {
        let samples = try Samples()
        var inner = samples.transaction().json
        inner["price"] = "9.99"
        var notification = try samples.notification()
        notification.data?.signedTransactionInfo = try samples.authority.signer.sign(payload: inner.serialize())
        var outer = try samples.notification().json
        outer["signedDate"] = "yesterday"
        let expected = [
            (try samples.sign(notification), "data.signedTransactionInfo.price"),
            (try samples.authority.signer.sign(payload: outer.serialize()), "signedDate"),
        ]

        for (jws, field) in expected {
            let failure = samples.verifier.verifyNotification(jws).failure
            #expect(failure?.code == .payloadMalformed)
            #expect(failure?.field == field)
            #expect(failure?.bundleId == samples.app.bundleId)
        }
        let alone = samples.verifier.verifyTransaction(try samples.authority.signer.sign(payload: inner.serialize()))
        #expect(alone.failure?.field == "price")
        #expect(alone.failure?.bundleId == samples.app.bundleId)
        // Unsigned data names no app.
        let forged = try Samples().authority.signer.sign(payload: inner.serialize())
        #expect(samples.verifier.verifyTransaction(forged).failure?.bundleId == nil)
    }

    @Test func `a notification with an unreadable inner transaction is refused`() throws {
        let samples = try Samples()
        var notification = try samples.notification()
        notification.data?.signedTransactionInfo = "no.transaction.here"

        #expect(
            samples.verifier.verifyNotification(try samples.sign(notification)).failure?.code == .payloadMalformed
        )
    }

    @Test func `the app is found in whichever member names it`() throws {
        let samples = try Samples(environment: .sandbox)
        let bare = ResponseBodyV2DecodedPayload(
            notificationType: .test,
            notificationUUID: "c2f1f1de-3c0a-4b5e-9d61-5f0a6a9b7b11",
            version: "2.0",
            signedDate: Samples.signedDate
        )
        var summary = bare
        summary.summary = NotificationSummary(environment: .sandbox, bundleId: samples.app.bundleId)
        var token = bare
        token.externalPurchaseToken = ExternalPurchaseToken(
            externalPurchaseId: "SANDBOX_1",
            bundleId: samples.app.bundleId
        )
        var future = bare
        future.unknownFields["newKind"] = .object([
            "bundleId": .string(samples.app.bundleId), "environment": .string("Sandbox"),
        ])

        for notification in [summary, token, future] {
            let verified = try samples.verifier.verifyNotification(try samples.sign(notification)).get()
            #expect(verified.app == samples.app)
            #expect(verified.payload == notification)
        }
        #expect(samples.verifier.verifyNotification(try samples.sign(bare)).failure?.code == .payloadMalformed)
    }
}

extension Samples {
    fileprivate func verifier(_ app: AppIdentity) -> SignedDataVerifier {
        SignedDataVerifier(roots: [authority.trustedRoot], apps: [app])
    }
}
