import AppStoreModel
import AppStoreSigning
import Testing

/// A notification's signature covers its inner data; the inner signatures are checked if requested.
@Suite struct `Signatures inside a notification` {
    private static let fields = ["transaction", "renewal", "appTransaction"]

    /// Valid data in an envelope, and the same with one inner text replaced by an attacker's.
    private let samples: Samples

    init() throws {
        samples = try Samples()
    }

    private func notification(_ forged: String? = nil, by forge: (String) throws -> String = { $0 }) throws -> String {
        func text(_ field: String, _ payload: some JSONRepresentable) throws -> String {
            let signed = try samples.sign(payload)
            return field == forged ? try forge(signed) : signed
        }
        var body = try samples.notification()
        body.data?.signedTransactionInfo = try text("transaction", samples.transaction())
        body.data?.signedRenewalInfo = try text("renewal", samples.renewalInfo())
        body.appData = NotificationAppData(bundleId: samples.app.bundleId, environment: samples.app.environment)
        body.appData?.signedAppTransactionInfo = try text("appTransaction", samples.appTransaction())
        return try samples.sign(body)
    }

    private func codes(_ jws: String) -> [VerificationFailure.Code?] {
        [false, true].map { samples.verifier.verifyNotification(jws, checkingInnerSignatures: $0).failure?.code }
    }

    @Test func `genuine ones pass, with the same result as without the check`() throws {
        let jws = try notification()
        let plain = try samples.verifier.verifyNotification(jws).get()
        #expect(try samples.verifier.verifyNotification(jws, checkingInnerSignatures: true).get() == plain)
        #expect(plain.transaction != nil && plain.renewalInfo != nil && plain.appTransaction != nil)
    }

    @Test func `a notification with nothing signed inside passes`() throws {
        #expect(codes(try samples.sign(try samples.notification())) == [nil, nil])
    }

    @Test(arguments: fields)
    func `a changed signature is refused only where it is checked`(field: String) throws {
        let jws = try notification(field) { signed in
            let cut = signed.lastIndex(of: ".") ?? signed.startIndex
            let signature = signed[signed.index(after: cut)...]
            return String(signed[...cut]) + String(signature.dropFirst(4).prefix(4) + signature.dropFirst(4))
        }
        #expect(codes(jws) == [nil, .signatureInvalid])
    }

    @Test(arguments: fields)
    func `a payload under the signature of another one is refused only where it is checked`(field: String) throws {
        let jws = try notification(field) { signed in
            let parts = signed.split(separator: ".")
            let other = try samples.sign(samples.transaction(signedDate: Samples.signedDate + 1)).split(separator: ".")
            return [parts[0], parts[1], other[2]].joined(separator: ".")
        }
        #expect(codes(jws) == [nil, .signatureInvalid])
    }

    @Test(arguments: fields)
    func `data signed by another authority is refused only where it is checked`(field: String) throws {
        let stranger = try Samples()
        let jws = try notification(field) { _ in
            switch field {
            case "transaction": try stranger.sign(samples.transaction())
            case "renewal": try stranger.sign(samples.renewalInfo())
            default: try stranger.sign(samples.appTransaction())
            }
        }
        #expect(codes(jws) == [nil, .chainNotTrusted])
        let failure = samples.verifier.verifyNotification(jws, checkingInnerSignatures: true).failure
        let names = [
            "transaction": "data.signedTransactionInfo", "renewal": "data.signedRenewalInfo",
            "appTransaction": "appData.signedAppTransactionInfo",
        ]
        #expect(failure?.field == names[field])
    }

    @Test func `a forged envelope is refused either way, whatever is inside`() throws {
        let stranger = try Samples()
        var body = try stranger.notification()
        body.data?.signedTransactionInfo = try samples.sign(samples.transaction())
        #expect(codes(try stranger.sign(body)) == [.chainNotTrusted, .chainNotTrusted])
    }
}
