import AppStoreModel
import Foundation

/// Times in the time zone of a reader.
struct LocalTimes {
    private let formatter: DateFormatter

    init(zone: TimeZone) {
        formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = "yyyy-MM-dd HH:mm zzz"
    }

    /// A time of the API, such as `2026-02-02 11:40 UTC`; nil without one.
    func text(_ value: JSONValue?) -> String? {
        guard case .integer(let milliseconds)? = value else { return nil }
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}
