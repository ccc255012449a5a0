// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// How long the customer has had an account in the app.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `accountTenure`.
public struct AccountTenure: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not specified.
    public static let undeclared = AccountTenure(rawValue: 0)
    /// 0 to 3 days.
    public static let upTo3Days = AccountTenure(rawValue: 1)
    /// 3 to 10 days.
    public static let days3To10 = AccountTenure(rawValue: 2)
    /// 10 to 30 days.
    public static let days10To30 = AccountTenure(rawValue: 3)
    /// 30 to 90 days.
    public static let days30To90 = AccountTenure(rawValue: 4)
    /// 90 to 180 days.
    public static let days90To180 = AccountTenure(rawValue: 5)
    /// 180 to 365 days.
    public static let days180To365 = AccountTenure(rawValue: 6)
    /// More than 365 days.
    public static let over365Days = AccountTenure(rawValue: 7)

    /// Every value that Apple documents.
    public static let documented: [AccountTenure] = [
        .undeclared, .upTo3Days, .days3To10, .days10To30, .days30To90, .days90To180, .days180To365, .over365Days,
    ]
}
