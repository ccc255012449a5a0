import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Crypto
import PerennialPrimitives

/// Valid data of our own App Store, in which each test breaks one thing.
struct Samples {
    static let signedDate: Int64 = 1_790_000_000_000

    let authority: TestAuthority
    let app: AppIdentity

    init(environment: AppStoreEnvironment = .production) throws {
        authority = try TestAuthority()
        app = AppIdentity(bundleId: "com.example.perennial", appAppleId: 1_234_567_890, environment: environment)
    }

    var verifier: SignedDataVerifier {
        SignedDataVerifier(roots: [authority.trustedRoot], apps: [app])
    }

    func transaction(signedDate: Int64 = Samples.signedDate) -> JWSTransactionDecodedPayload {
        JWSTransactionDecodedPayload(
            transactionId: "2000000000000002",
            originalTransactionId: "2000000000000001",
            bundleId: app.bundleId,
            productId: "pro.monthly",
            purchaseDate: signedDate - 1000,
            originalPurchaseDate: signedDate - 2000,
            quantity: 1,
            type: .autoRenewableSubscription,
            inAppOwnershipType: .purchased,
            signedDate: signedDate,
            environment: app.environment
        )
    }

    func renewalInfo() -> JWSRenewalInfoDecodedPayload {
        JWSRenewalInfoDecodedPayload(
            originalTransactionId: "2000000000000001",
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: .on,
            signedDate: Self.signedDate,
            environment: app.environment
        )
    }

    func notification(
        transaction: JWSTransactionDecodedPayload? = nil,
        renewalInfo: JWSRenewalInfoDecodedPayload? = nil
    ) throws -> ResponseBodyV2DecodedPayload {
        ResponseBodyV2DecodedPayload(
            notificationType: .didRenew,
            notificationUUID: "c2f1f1de-3c0a-4b5e-9d61-5f0a6a9b7b11",
            version: "2.0",
            signedDate: Self.signedDate,
            data: NotificationData(
                bundleId: app.bundleId,
                environment: app.environment,
                appAppleId: app.appAppleId,
                status: .active,
                signedTransactionInfo: try transaction.map { try sign($0) },
                signedRenewalInfo: try renewalInfo.map { try sign($0) }
            )
        )
    }

    func appTransaction() -> JWSAppTransactionDecodedPayload {
        JWSAppTransactionDecodedPayload(
            bundleId: app.bundleId,
            originalApplicationVersion: "1.0",
            originalPurchaseDate: Self.signedDate - 5000,
            receiptCreationDate: Self.signedDate,
            receiptType: app.environment,
            appAppleId: app.appAppleId,
            appTransactionId: "704289572311513293",
            originalPlatform: .iOS
        )
    }

    func realtimeRequest() -> DecodedRealtimeRequestBody {
        DecodedRealtimeRequestBody(
            originalTransactionId: "2000000000000001",
            appAppleId: app.appAppleId ?? 0,
            productId: "pro.monthly",
            userLocale: "en-US",
            requestIdentifier: "5d1d2b0c-8f4f-4e0e-9d0a-0b6a3b1f9c11",
            environment: app.environment,
            signedDate: Self.signedDate
        )
    }

    /// One valid input of each kind.
    func goodInputs() throws -> [(kind: SignedDataKind, jws: String)] {
        [
            (.notification, try sign(try notification(transaction: transaction(), renewalInfo: renewalInfo()))),
            (.transaction, try sign(transaction())),
            (.renewal, try sign(renewalInfo())),
            (.appTransaction, try sign(appTransaction())),
            (.realtimeRequest, try sign(realtimeRequest())),
        ]
    }

    func sign(_ payload: some JSONRepresentable) throws -> String {
        try authority.signer.sign(payload: payload.jsonBytes)
    }

    /// A valid transaction with a chain that differs from a valid one.
    func transaction(under recipe: TestChainRecipe, signedDate: Int64 = Samples.signedDate) throws -> String {
        let chain = try TestChain(keys: authority.keys, recipe: recipe)
        return try transaction(withChain: chain.certificates, signedDate: signedDate)
    }

    /// A valid transaction whose header contains the given certificates.
    func transaction(withChain chain: [[UInt8]], signedDate: Int64 = Samples.signedDate) throws -> String {
        let signer = JWSSigner(chain: chain, key: try authority.leafKey)
        return try signer.sign(payload: transaction(signedDate: signedDate).jsonBytes)
    }

    /// A valid transaction with a custom header.
    func transaction(headerJSON: String) throws -> String {
        try JWSSigner(headerJSON: headerJSON, key: try authority.leafKey).sign(payload: transaction().jsonBytes)
    }

    /// The header's `x5c` member as JSON.
    var x5c: String {
        let texts = authority.chain.certificates.map {
            "\"" + String(decoding: Base64.encode($0, .standard), as: UTF8.self) + "\""
        }
        return "[" + texts.joined(separator: ",") + "]"
    }
}

extension TestAuthority {
    var leafKey: P256.Signing.PrivateKey {
        get throws { try P256.Signing.PrivateKey(pemRepresentation: keys.leafPEM) }
    }
}
