extension ExtendRenewalDateRequest {
    /// The maximum number of days of an extension.
    public static let daysMax: Int32 = 90
    /// The maximum length of an identifier, in characters.
    public static let requestIdentifierLengthMax = 128
    /// The maximum number of extensions of a subscription within 365 days.
    public static let extensionsPerYearMax = 2

    /// Checks Apple's rules.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        try Self.validate(days: extendByDays, reason: extendReasonCode)
        try ModelError.unless(
            (1...Self.requestIdentifierLengthMax).contains(requestIdentifier.unicodeScalars.count),
            "requestIdentifier",
            "1 to \(Self.requestIdentifierLengthMax) characters are allowed."
        )
    }

    static func validate(days: Int32, reason: ExtendReasonCode) throws(ModelError) {
        try ModelError.unless((1...daysMax).contains(days), "extendByDays", "1 to \(daysMax) days are allowed.")
        try ModelError.unless(reason.isDocumented, "extendReasonCode", "The reason must be 0, 1, 2 or 3.")
    }
}
