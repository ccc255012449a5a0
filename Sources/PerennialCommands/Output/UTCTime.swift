import Foundation

/// Times as text, in ISO 8601 and UTC.
enum UTCTime {
    /// The last second of the year 9999; a larger number is not a plausible time.
    private static let secondsMax: Int64 = 253_402_300_799

    /// The text of a time; `nil` if the number is not a plausible time after 1970.
    ///
    /// - Parameter milliseconds: Since 1970-01-01T00:00:00Z.
    static func text(milliseconds: Int64) -> String? {
        text(seconds: milliseconds / 1000)
    }

    /// The text of a time; `nil` if the number is not a plausible time after 1970.
    ///
    /// - Parameter seconds: Since 1970-01-01T00:00:00Z.
    static func text(seconds: Int64) -> String? {
        guard (1...secondsMax).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
