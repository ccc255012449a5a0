public import AppStoreModel

/// A notification before signing, which a test can change.
///
/// The inner signed texts (`signedTransactionInfo` and the others) are created afterwards from these payloads.
public struct NotificationDraft: Hashable, Sendable {
    /// The notification itself.
    public var notification: ResponseBodyV2DecodedPayload

    /// The transaction for `data`; set it to `nil` to omit it.
    public var transaction: JWSTransactionDecodedPayload?

    /// The renewal information for `data`; set it to `nil` to omit it.
    public var renewalInfo: JWSRenewalInfoDecodedPayload?

    /// The app transaction for `appData`; set it to `nil` to omit it.
    public var appTransaction: JWSAppTransactionDecodedPayload?
}
