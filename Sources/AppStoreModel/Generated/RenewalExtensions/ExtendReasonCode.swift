// Generated from Schema/renewal-extensions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Why a renewal date is extended.
///
/// - Source: App Store Server API, `extendReasonCode`.
public struct ExtendReasonCode: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// No reason is given.
    public static let undeclared = ExtendReasonCode(rawValue: 0)
    /// For the customer's satisfaction.
    public static let customerSatisfaction = ExtendReasonCode(rawValue: 1)
    /// Another reason.
    public static let other = ExtendReasonCode(rawValue: 2)
    /// A service issue or outage.
    public static let serviceIssueOrOutage = ExtendReasonCode(rawValue: 3)

    /// Every value that Apple documents.
    public static let documented: [ExtendReasonCode] = [
        .undeclared, .customerSatisfaction, .other, .serviceIssueOrOutage,
    ]
}
