/// How long the customer has had an account in the app.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `accountTenure`.
public struct AccountTenure: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: Int32

    /// Takes a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not said.
    public static let undeclared = AccountTenure(rawValue: 0)
    /// 0 to 3 days.
    public static let upToThreeDays = AccountTenure(rawValue: 1)
    /// 3 to 10 days.
    public static let threeToTenDays = AccountTenure(rawValue: 2)
    /// 10 to 30 days.
    public static let tenToThirtyDays = AccountTenure(rawValue: 3)
    /// 30 to 90 days.
    public static let thirtyToNinetyDays = AccountTenure(rawValue: 4)
    /// 90 to 180 days.
    public static let ninetyToOneHundredEightyDays = AccountTenure(rawValue: 5)
    /// 180 to 365 days.
    public static let oneHundredEightyToThreeHundredSixtyFiveDays = AccountTenure(rawValue: 6)
    /// More than 365 days.
    public static let overThreeHundredSixtyFiveDays = AccountTenure(rawValue: 7)

    /// Every value that Apple documents.
    public static let documented: [AccountTenure] = [
        .undeclared, .upToThreeDays, .threeToTenDays, .tenToThirtyDays, .thirtyToNinetyDays,
        .ninetyToOneHundredEightyDays, .oneHundredEightyToThreeHundredSixtyFiveDays, .overThreeHundredSixtyFiveDays,
    ]
}
