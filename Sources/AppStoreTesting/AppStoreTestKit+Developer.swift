public import AppStoreSigning

extension AppStoreTestKit {
    /// Signs what the app's developer hands to StoreKit, with the kit's key.
    public var developerSigner: StoreKitRequestSigner {
        StoreKitRequestSigner(key: developerKey, bundleId: app.bundleId)
    }

    /// A bearer token of the app's developer, made now and good for five minutes.
    ///
    /// - Throws: `signing_failed` when the cryptographic library refuses.
    public func bearerToken() throws(SigningError) -> String {
        try BearerToken.make(key: developerKey, bundleId: app.bundleId, issuedAt: now / 1000)
    }
}
