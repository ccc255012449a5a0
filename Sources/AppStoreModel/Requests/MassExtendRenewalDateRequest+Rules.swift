import PerennialPrimitives

extension MassExtendRenewalDateRequest {
    /// Checks Apple's rules.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        try ExtendRenewalDateRequest.validate(days: extendByDays, reason: extendReasonCode)
        try ModelError.unless(requestIdentifier.isUUID, "requestIdentifier", "The identifier must be a UUID.")
        try ModelError.unless(!productId.isEmpty, "productId", "The product is missing.")
        guard let codes = storefrontCountryCodes else { return }
        try ModelError.unless(!codes.isEmpty, "storefrontCountryCodes", "Omit the list for all storefronts.")
        for (index, code) in codes.enumerated() {
            try ModelError.unless(
                code.isAlpha3Code,
                "storefrontCountryCodes[\(index)]",
                "A storefront is named by three capital letters."
            )
        }
    }
}
