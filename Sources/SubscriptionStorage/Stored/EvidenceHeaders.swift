package import SubscriptionCore

/// A cache of stored headers of signed inputs: finds the number of a header by its bytes.
///
/// Nearly every input of an app has one of a few headers, which are most of its bytes. Comparing them is faster than a
/// query.
package struct EvidenceHeaders: Sendable {
    /// The maximum number of cached headers of an app; a store changes its certificates every year or two.
    private static let perAppMax = 16

    private struct Header: Sendable {
        let number: Int64
        let bytes: [UInt8]
    }

    /// The most recently used header is first.
    private var headers: [AppID: [Header]] = [:]

    /// Makes an empty cache.
    package init() {}

    /// The number of a header; nil if it is not cached.
    package func number(of bytes: ArraySlice<UInt8>, app: AppID) -> Int64? {
        guard let known = headers[app] else { return nil }
        return known.first { $0.bytes.hasSameBytes(as: bytes) }?.number
    }

    /// Caches a stored header.
    package mutating func remember(_ number: Int64, of bytes: ArraySlice<UInt8>, app: AppID) {
        var known = headers[app] ?? []
        known.removeAll { $0.number == number }
        known.insert(Header(number: number, bytes: Array(bytes)), at: 0)
        if known.count > Self.perAppMax { known.removeLast() }
        headers[app] = known
    }

    /// Adds the headers of another cache.
    package mutating func take(_ other: EvidenceHeaders) {
        for (app, known) in other.headers {
            for header in known.reversed() { remember(header.number, of: header.bytes[...], app: app) }
        }
    }

    /// Whether the cache is empty.
    package var isEmpty: Bool { headers.isEmpty }
}
