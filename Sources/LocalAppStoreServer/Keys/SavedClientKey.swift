import AppStoreSigning

/// The saved form of an In-App Purchase key.
struct SavedClientKey: Codable {
    private let pem: String
    private let keyId: String
    private let issuerId: String

    init(_ key: InAppPurchaseKey) {
        pem = key.pem
        keyId = key.keyId
        issuerId = key.issuerId
    }

    /// The key.
    ///
    /// - Throws: `SigningError` with `key_malformed`.
    func key() throws(SigningError) -> InAppPurchaseKey {
        try InAppPurchaseKey(pem: pem, keyId: keyId, issuerId: issuerId)
    }
}
