import PerennialPrimitives

extension UpdateAppAccountTokenRequest {
    /// Checks Apple's rules.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` if the token is not a UUID.
    public func validate() throws(ModelError) {
        try ModelError.unless(appAccountToken.isUUID, "appAccountToken", "The token must be a UUID.")
    }
}
