// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The status of a performance test.
///
/// - Source: Retention Messaging API, PerformanceTestStatus.
public struct PerformanceTestStatus: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Still running.
    public static let pending = PerformanceTestStatus(rawValue: "PENDING")
    /// Passed.
    public static let pass = PerformanceTestStatus(rawValue: "PASS")
    /// Not passed.
    public static let fail = PerformanceTestStatus(rawValue: "FAIL")

    /// Every value that Apple documents.
    public static let documented: [PerformanceTestStatus] = [.pending, .pass, .fail]
}
