// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The state of the customer's account in the app.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `userStatus`.
public struct UserStatus: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not specified.
    public static let undeclared = UserStatus(rawValue: 0)
    /// Active.
    public static let active = UserStatus(rawValue: 1)
    /// Suspended.
    public static let suspended = UserStatus(rawValue: 2)
    /// Ended.
    public static let terminated = UserStatus(rawValue: 3)
    /// Limited.
    public static let limitedAccess = UserStatus(rawValue: 4)

    /// Every value that Apple documents.
    public static let documented: [UserStatus] = [.undeclared, .active, .suspended, .terminated, .limitedAccess]
}
