public import AppStoreModel

/// A notification before anything of it is signed; a test changes what it likes.
///
/// The signed texts inside (`signedTransactionInfo` and its siblings) are made afterwards from the payloads here.
public struct NotificationDraft: Hashable, Sendable {
    /// The notification itself.
    public var notification: ResponseBodyV2DecodedPayload

    /// The transaction to be signed into `data`; set to `nil` to leave it out.
    public var transaction: JWSTransactionDecodedPayload?

    /// The renewal information to be signed into `data`; set to `nil` to leave it out.
    public var renewalInfo: JWSRenewalInfoDecodedPayload?

    /// The app transaction to be signed into `appData`; set to `nil` to leave it out.
    public var appTransaction: JWSAppTransactionDecodedPayload?
}
