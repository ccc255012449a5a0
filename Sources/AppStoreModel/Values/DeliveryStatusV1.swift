/// Whether the customer received a working purchase, as the first version of the call has it.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `deliveryStatus`.
public struct DeliveryStatusV1: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: Int32

    /// Takes a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// It was delivered and works.
    public static let deliveredAndWorking = DeliveryStatusV1(rawValue: 0)
    /// It was not, because of its quality.
    public static let qualityIssue = DeliveryStatusV1(rawValue: 1)
    /// Something else was delivered.
    public static let wrongItem = DeliveryStatusV1(rawValue: 2)
    /// It was not, because a server was not there.
    public static let serverOutage = DeliveryStatusV1(rawValue: 3)
    /// It was not, because the currency of the game changed.
    public static let inGameCurrencyChange = DeliveryStatusV1(rawValue: 4)
    /// It was not, for another reason.
    public static let other = DeliveryStatusV1(rawValue: 5)

    /// Every value that Apple documents.
    public static let documented: [DeliveryStatusV1] = [
        .deliveredAndWorking, .qualityIssue, .wrongItem, .serverOutage, .inGameCurrencyChange, .other,
    ]
}
