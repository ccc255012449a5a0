public import AppStoreModel

/// A notification whose envelope was signed by the App Store for one of the configured apps.
///
/// The envelope's signature covers the transaction, renewal information and app transaction inside. They are decoded,
/// and must belong to the same app and environment.
public struct VerifiedNotification: Hashable, Sendable {
    /// The content of the envelope.
    public let payload: ResponseBodyV2DecodedPayload

    /// The content of `data.signedTransactionInfo`.
    public let transaction: JWSTransactionDecodedPayload?

    /// The content of `data.signedRenewalInfo`.
    public let renewalInfo: JWSRenewalInfoDecodedPayload?

    /// The content of `appData.signedAppTransactionInfo`.
    public let appTransaction: JWSAppTransactionDecodedPayload?

    /// The configured app.
    public let app: AppIdentity

    /// Combines the parts of a notification.
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
