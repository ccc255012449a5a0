// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Whether the customer received a working purchase, in version 1 of the call.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `deliveryStatus`.
public struct DeliveryStatusV1: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Delivered and working.
    public static let deliveredAndWorking = DeliveryStatusV1(rawValue: 0)
    /// Not delivered because of a quality issue.
    public static let qualityIssue = DeliveryStatusV1(rawValue: 1)
    /// The wrong item was delivered.
    public static let wrongItem = DeliveryStatusV1(rawValue: 2)
    /// Not delivered because of a server outage.
    public static let serverOutage = DeliveryStatusV1(rawValue: 3)
    /// Not delivered because of an in-game currency change.
    public static let inGameCurrencyChange = DeliveryStatusV1(rawValue: 4)
    /// Not delivered for another reason.
    public static let other = DeliveryStatusV1(rawValue: 5)

    /// Every value that Apple documents.
    public static let documented: [DeliveryStatusV1] = [
        .deliveredAndWorking, .qualityIssue, .wrongItem, .serverOutage, .inGameCurrencyChange, .other,
    ]
}
