public import AppStoreModel

/// A notification whose envelope was signed by the App Store for one of the configured apps.
///
/// The signed transaction, renewal information and app transaction inside are covered by the envelope's signature: they
/// are decoded, and must be about the same app and environment.
public struct VerifiedNotification: Hashable, Sendable {
    /// What the envelope says.
    public let payload: ResponseBodyV2DecodedPayload

    /// What `data.signedTransactionInfo` says.
    public let transaction: JWSTransactionDecodedPayload?

    /// What `data.signedRenewalInfo` says.
    public let renewalInfo: JWSRenewalInfoDecodedPayload?

    /// What `appData.signedAppTransactionInfo` says.
    public let appTransaction: JWSAppTransactionDecodedPayload?

    /// The configured app that it is about.
    public let app: AppIdentity

    /// Puts a notification together.
    package init(
        payload: ResponseBodyV2DecodedPayload,
        transaction: JWSTransactionDecodedPayload?,
        renewalInfo: JWSRenewalInfoDecodedPayload?,
        appTransaction: JWSAppTransactionDecodedPayload? = nil,
        app: AppIdentity
    ) {
        self.payload = payload
        self.transaction = transaction
        self.renewalInfo = renewalInfo
        self.appTransaction = appTransaction
        self.app = app
    }
}
