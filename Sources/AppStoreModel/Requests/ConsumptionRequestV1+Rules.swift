import PerennialPrimitives

extension ConsumptionRequestV1 {
    /// Checks Apple's rules.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        try ModelError.unless(customerConsented, "customerConsented", "The customer must have consented.")
        try ModelError.unless(
            appAccountToken.isEmpty || appAccountToken.isUUID,
            "appAccountToken",
            "The token must be a UUID, or empty."
        )
    }
}
