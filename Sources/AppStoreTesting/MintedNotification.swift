public import AppStoreModel

/// A notification that a kit signed, with its content.
public struct MintedNotification: Hashable, Sendable {
    /// The signed notification.
    public let envelope: Minted<ResponseBodyV2DecodedPayload>

    /// The signed transaction inside.
    public let transaction: Minted<JWSTransactionDecodedPayload>?

    /// The signed renewal information inside.
    public let renewalInfo: Minted<JWSRenewalInfoDecodedPayload>?

    /// The signed app transaction inside.
    public let appTransaction: Minted<JWSAppTransactionDecodedPayload>?

    /// The compact JWS, `signedPayload` of the App Store's POST.
    public var jws: String { envelope.jws }

    /// The content of the notification.
    public var payload: ResponseBodyV2DecodedPayload { envelope.payload }

    /// The body that the App Store posts to a server.
    ///
    /// - Units: JSON in UTF-8.
    public var body: [UInt8] {
        ResponseBodyV2(signedPayload: jws).jsonBytes
    }
}
