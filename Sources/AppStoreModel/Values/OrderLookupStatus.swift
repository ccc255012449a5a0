/// Whether an order id that a customer names is one of the app's.
///
/// - Source: App Store Server API, OrderLookupStatus.
public struct OrderLookupStatus: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: Int32

    /// Takes a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The order has purchases in the app.
    public static let valid = OrderLookupStatus(rawValue: 0)
    /// The order is unknown, or has nothing of the app.
    public static let invalid = OrderLookupStatus(rawValue: 1)

    /// Every value that Apple documents.
    public static let documented: [OrderLookupStatus] = [.valid, .invalid]
}
