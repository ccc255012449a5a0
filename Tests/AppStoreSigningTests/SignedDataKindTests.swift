import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Testing

@Suite struct `Kinds of signed data` {
    @Test func `each kind is accepted as itself`() throws {
        let samples = try Samples()

        #expect(
            samples.verifier.verifyAppTransaction(try samples.sign(samples.appTransaction()))
                == .verified(samples.appTransaction())
        )
        #expect(
            samples.verifier.verifyRealtimeRequest(try samples.sign(samples.realtimeRequest()))
                == .verified(samples.realtimeRequest())
        )
        for (kind, jws) in try samples.goodInputs() {
            let data = try samples.verifier.verify(jws, as: kind).get()
            #expect(data.kind == kind)
            #expect(data.json == (try UnverifiedJWS.decode(jws).payload))
        }
    }

    @Test func `no kind is accepted as another`() throws {
        let samples = try Samples()
        for (kind, jws) in try samples.goodInputs() {
            for other in SignedDataKind.allCases where other != kind {
                let failure = samples.verifier.verify(jws, as: other).failure
                #expect(failure?.code == .payloadMalformed, "\(kind) as \(other)")
            }
        }
    }

    @Test func `the kind is determined from its own fields`() throws {
        let samples = try Samples()
        for (kind, jws) in try samples.goodInputs() {
            #expect(SignedDataKind(guessing: try UnverifiedJWS.decode(jws).payload) == kind)
        }
        #expect(SignedDataKind(guessing: [:]) == nil)
        #expect(SignedDataKind(guessing: ["bundleId": "com.example"]) == nil)
    }

    @Test func `an app transaction must belong to the app, its environment and in production its Apple ID`() throws {
        let samples = try Samples()
        func code(_ change: (inout JWSAppTransactionDecodedPayload) -> Void) throws -> VerificationFailure.Code? {
            var payload = samples.appTransaction()
            change(&payload)
            return samples.verifier.verifyAppTransaction(try samples.sign(payload)).failure?.code
        }

        #expect(try code { $0.bundleId = "com.example.other" } == .appNotConfigured)
        #expect(try code { $0.receiptType = .sandbox } == .environmentMismatch)
        #expect(try code { $0.receiptType = nil } == .environmentMismatch)
        #expect(try code { $0.appAppleId = 42 } == .appAppleIdMismatch)
        #expect(try code { $0.appAppleId = nil } == .appAppleIdMismatch)
        #expect(try code { $0.appTransactionId = nil } == nil)
    }

    @Test func `a sandbox app transaction needs no Apple ID`() throws {
        let samples = try Samples(environment: .sandbox)
        var payload = samples.appTransaction()
        payload.appAppleId = nil

        #expect(samples.verifier.verifyAppTransaction(try samples.sign(payload)) == .verified(payload))
    }

    @Test func `an app transaction counts as signed when it was created`() throws {
        let samples = try Samples()
        var payload = samples.appTransaction()
        payload.receiptCreationDate = 4_102_444_800_001

        let failure = samples.verifier.verifyAppTransaction(try samples.sign(payload)).failure

        #expect(failure?.code == .certificateNotValidAtSigning)
    }

    @Test func `a realtime request must belong to the environment and in production to the app's Apple ID`() throws {
        let samples = try Samples()
        let sandbox = try Samples(environment: .sandbox)
        func code(
            _ samples: Samples,
            _ change: (inout DecodedRealtimeRequestBody) -> Void
        ) throws -> VerificationFailure.Code? {
            var payload = samples.realtimeRequest()
            change(&payload)
            return samples.verifier.verifyRealtimeRequest(try samples.sign(payload)).failure?.code
        }

        #expect(try code(samples) { $0.environment = .sandbox } == .environmentMismatch)
        #expect(try code(samples) { $0.appAppleId = 42 } == .appAppleIdMismatch)
        #expect(try code(sandbox) { $0.appAppleId = 42 } == nil)
    }

    @Test func `a notification about a download comes with its app transaction`() throws {
        let samples = try Samples()
        func notification(_ appTransaction: JWSAppTransactionDecodedPayload) throws -> String {
            try samples.sign(
                ResponseBodyV2DecodedPayload(
                    notificationType: .rescindConsent,
                    notificationUUID: "c2f1f1de-3c0a-4b5e-9d61-5f0a6a9b7b11",
                    version: "2.0",
                    signedDate: Samples.signedDate,
                    appData: NotificationAppData(
                        bundleId: samples.app.bundleId,
                        environment: samples.app.environment,
                        appAppleId: samples.app.appAppleId,
                        signedAppTransactionInfo: try samples.sign(appTransaction)
                    )
                )
            )
        }
        var foreign = samples.appTransaction()
        foreign.bundleId = "com.example.other"

        let good = samples.verifier.verifyNotification(try notification(samples.appTransaction()))
        let bad = samples.verifier.verifyNotification(try notification(foreign))

        #expect(good.payload?.appTransaction == samples.appTransaction())
        #expect(bad.failure?.code == .bundleIdMismatch)
    }

    @Test func `with a given time, the chain must be valid then, whenever it signed`() throws {
        let samples = try Samples()
        let jws = try samples.sign(samples.transaction())
        func code(_ validity: ChainValidity) -> VerificationFailure.Code? {
            SignedDataVerifier(
                roots: [samples.authority.trustedRoot],
                apps: [samples.app],
                chainValidity: validity
            ).verifyTransaction(jws).failure?.code
        }

        #expect(code(.at(Samples.signedDate)) == nil)
        #expect(code(.at(4_102_444_800_000)) == nil)
        #expect(code(.at(4_102_444_800_001)) == .certificateNotValid)
        #expect(code(.at(.min)) == .certificateNotValid)
        #expect(code(.at(.max)) == .certificateNotValid)
    }
}
