import PerennialPrimitives

extension ExternalPurchaseReport {
    /// Checks Apple's rules, except those that depend on earlier reports.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        try ModelError.unless(requestIdentifier.isUUID, "requestIdentifier", "The identifier must be a UUID.")
        let isExpected = status == .lineItem
        try ModelError.unless(
            isExpected == (lineItems?.isEmpty == false),
            "lineItems",
            isExpected ? "The status requires line items." : "The status allows no line items."
        )
        for (index, item) in (lineItems ?? []).enumerated() {
            do {
                try item.validate()
            } catch {
                throw error.inside("lineItems[\(index)]")
            }
        }
    }
}
