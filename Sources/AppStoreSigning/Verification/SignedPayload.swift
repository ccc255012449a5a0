import AppStoreModel

/// A payload that says when it was signed.
protocol SignedPayload: JSONRepresentable {
    /// When the App Store signed, in milliseconds since 1970 (UTC).
    var signedDate: Int64 { get }
}

extension JWSTransactionDecodedPayload: SignedPayload {}
extension JWSRenewalInfoDecodedPayload: SignedPayload {}
extension ResponseBodyV2DecodedPayload: SignedPayload {}
extension JWSAppTransactionDecodedPayload: SignedPayload {}
extension DecodedRealtimeRequestBody: SignedPayload {}
