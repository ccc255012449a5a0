public import AppStoreSigning

extension AppStoreTestKit {
    /// Signs the developer's values for StoreKit, with the kit's key.
    public var developerSigner: StoreKitRequestSigner {
        StoreKitRequestSigner(key: developerKey, bundleId: app.bundleId)
    }

    /// A bearer token of the app's developer, created now and valid for five minutes.
    ///
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func bearerToken() throws(SigningError) -> String {
        try BearerToken.make(key: developerKey, bundleId: app.bundleId, issuedAt: now / 1000)
    }
}
