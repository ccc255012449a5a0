package import SubscriptionCore

/// The headers of signed inputs that are known to be stored, with their numbers, found by their bytes.
///
/// Nearly every input of an app has one of a few headers, which are most of its bytes: to compare them is less than to
/// ask the database for them.
package struct EvidenceHeaders: Sendable {
    /// How many headers of an app are remembered; a store changes its certificates once in a year or two.
    private static let perAppMax = 16

    private struct Header: Sendable {
        let number: Int64
        let bytes: [UInt8]
    }

    /// The latest found first.
    private var headers: [AppID: [Header]] = [:]

    /// Knows none.
    package init() {}

    /// The number of a header; nil where it is not remembered.
    package func number(of bytes: ArraySlice<UInt8>, app: AppID) -> Int64? {
        guard let known = headers[app] else { return nil }
        return known.first { $0.bytes.hasSameBytes(as: bytes) }?.number
    }

    /// Remembers a header that is stored.
    package mutating func remember(_ number: Int64, of bytes: ArraySlice<UInt8>, app: AppID) {
        var known = headers[app] ?? []
        known.removeAll { $0.number == number }
        known.insert(Header(number: number, bytes: Array(bytes)), at: 0)
        if known.count > Self.perAppMax { known.removeLast() }
        headers[app] = known
    }

    /// Takes over what another one remembers.
    package mutating func take(_ other: EvidenceHeaders) {
        for (app, known) in other.headers {
            for header in known.reversed() { remember(header.number, of: header.bytes[...], app: app) }
        }
    }

    /// Whether none is remembered.
    package var isEmpty: Bool { headers.isEmpty }
}
