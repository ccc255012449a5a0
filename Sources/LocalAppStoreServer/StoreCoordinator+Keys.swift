import AppStoreSigning
import LocalAppStore

extension StoreCoordinator {
    /// Issues a key; it is accepted at once.
    ///
    /// - Throws: `too_many_keys`, `issuer_invalid`.
    func issueKey(issuerId: String?) throws(StoreCallError) -> ClientKeys.Entry {
        let entry = try clientKeys.issue(issuerId: issuerId, at: store.now)
        useClientKeys()
        return entry
    }

    /// Revokes a key; its tokens are refused at once.
    ///
    /// - Throws: `key_not_found`, `last_key`.
    func revokeKey(_ keyId: String) throws(StoreCallError) -> ClientKeys.Entry {
        let entry = try clientKeys.revoke(keyId, at: store.now)
        useClientKeys()
        return entry
    }

    /// The key to give to a new client, the other active keys, and the store.
    func credentials() -> (keys: [InAppPurchaseKey], store: LocalAppStore) { (clientKeys.active, store) }
}
