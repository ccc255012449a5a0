extension ConsumptionRequest {
    /// The full percentage, in thousandths of a percent.
    public static let consumptionPercentageMax: Int32 = 100_000
    /// How long after its notification an answer is useful, in milliseconds: 12 hours.
    public static let answerWindow: Int64 = 12 * 3_600_000

    /// Checks Apple's rules, except those that depend on the product.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        try ModelError.unless(customerConsented, "customerConsented", "The customer must have consented.")
        guard let percentage = consumptionPercentage else { return }
        let field = "consumptionPercentage"
        try ModelError.unless(
            (0...Self.consumptionPercentageMax).contains(percentage),
            field,
            "0 to \(Self.consumptionPercentageMax) are allowed."
        )
        try ModelError.unless(
            percentage == 0 || deliveryStatus == .delivered,
            field,
            "An undelivered purchase cannot be consumed."
        )
        try ModelError.unless(
            refundPreference != .grantProrated || (1..<Self.consumptionPercentageMax).contains(percentage),
            field,
            "A prorated refund requires a partly consumed purchase."
        )
    }
}
