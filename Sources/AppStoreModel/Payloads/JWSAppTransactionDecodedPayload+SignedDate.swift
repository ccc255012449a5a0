extension JWSAppTransactionDecodedPayload {
    /// When it was signed, by the name of other payloads: ``receiptCreationDate``.
    public var signedDate: Int64 { receiptCreationDate }

    /// The environment, by the name of other payloads: ``receiptType``.
    public var environment: AppStoreEnvironment? { receiptType }
}
