/// Why more than one transaction stands for a period of a multiseat subscription.
///
/// - Source: App Store Server Notifications, `additionalTransactionReason`.
public struct AdditionalTransactionReason: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Seats were added within the period.
    public static let seatAddition = AdditionalTransactionReason(rawValue: "SEAT_ADDITION")

    /// Every value that Apple documents.
    public static let documented: [AdditionalTransactionReason] = [.seatAddition]
}
