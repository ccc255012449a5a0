import ArgumentParser
import Foundation

/// An instant on the command line: ISO 8601 in any time zone, or milliseconds since 1970.
struct VirtualTime: ExpressibleByArgument, Hashable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let milliseconds: Int64

    /// The years 1 to 9999, which calendars and ISO 8601 can write.
    private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Reads `2026-01-31`, `2026-01-31T09:00:00Z`, `2026-01-31T09:00:00.500+01:00`, or a whole number of milliseconds.
    init?(argument: String) {
        if let number = Int64(argument) {
            guard Self.range.contains(number) else { return nil }
            milliseconds = number
            return
        }
        let styles = [
            Date.ISO8601FormatStyle(),
            Date.ISO8601FormatStyle(includingFractionalSeconds: true),
            Date.ISO8601FormatStyle().year().month().day(),
        ]
        guard let date = styles.lazy.compactMap({ try? $0.parse(argument) }).first else { return nil }
        milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
    }
}

/// The system clock, read in one place.
enum RealTime {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    static func milliseconds() -> Int64 {
        Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
    }
}
