import ArgumentParser
import Foundation
import LocalAppStoreServer

/// A time on the command line: ISO 8601 in any time zone, or milliseconds since 1970.
struct VirtualTime: ExpressibleByArgument, Hashable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let milliseconds: Int64

    /// The exact range of JSON numbers, about 285,000 years in both directions; adding periods cannot overflow.
    private static let range: ClosedRange<Int64> = -9_007_199_254_740_991...9_007_199_254_740_991

    /// Parses `2026-01-31`, `2026-01-31T09:00:00Z`, `2026-01-31T09:00:00.500+01:00`, or a whole number of milliseconds.
    init?(argument: String) {
        if let number = Int64(argument) {
            guard Self.range.contains(number) else { return nil }
            milliseconds = number
            return
        }
        guard let time = TypedTime.milliseconds(argument) else { return nil }
        milliseconds = time
    }
}

/// The system clock, read in one place.
enum RealTime {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    static func milliseconds() -> Int64 {
        Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
    }
}
