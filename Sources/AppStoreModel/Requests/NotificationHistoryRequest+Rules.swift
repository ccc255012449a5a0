extension NotificationHistoryRequest {
    /// The maximum age of ``startDate`` in production, in milliseconds: 180 days.
    public static let productionWindow: Int64 = 180 * 86_400_000
    /// The maximum age of ``startDate`` in sandbox, in milliseconds: 30 days.
    public static let sandboxWindow: Int64 = 30 * 86_400_000

    /// Checks Apple's rules, except those that depend on the current time.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        try ModelError.unless(startDate < endDate, "endDate", "The end must come after the start.")
        try ModelError.unless(
            notificationSubtype == nil || notificationType != nil,
            "notificationSubtype",
            "A subtype needs its type."
        )
        try ModelError.unless(
            notificationType == nil || (transactionId == nil && originalTransactionId == nil),
            "notificationType",
            "Filter either by a type or by a customer."
        )
    }
}
