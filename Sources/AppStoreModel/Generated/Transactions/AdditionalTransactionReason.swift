// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Why a period of a multiseat subscription has several transactions.
///
/// - Source: App Store Server Notifications, `additionalTransactionReason`.
public struct AdditionalTransactionReason: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Seats were added within the period.
    public static let seatAddition = AdditionalTransactionReason(rawValue: "SEAT_ADDITION")

    /// Every value that Apple documents.
    public static let documented: [AdditionalTransactionReason] = [.seatAddition]
}
