/// Keeps the signing dates of one purchase line apart: what is signed with the same date has the same content.
///
/// Receivers keep the newest `signedDate` per record, so two contents with one date would leave them guessing.
struct SignatureClock: Hashable, Sendable, Codable {
    /// The newest date used, milliseconds since 1970.
    private var newest: Int64?

    /// A date for content that has changed: now, or just after the newest one used.
    mutating func dateForNewContent(now: Int64) -> Int64 {
        let date = max(now, newest.map { $0 + 1 } ?? now)
        newest = date
        return date
    }

    /// A date for content that was announced already: now, or the newest one used.
    mutating func dateForSameContent(now: Int64) -> Int64 {
        let date = max(now, newest ?? now)
        newest = date
        return date
    }

    /// Takes it that something was signed at an instant, whether it was or not.
    mutating func assumeUsed(at now: Int64) { newest = max(newest ?? now, now) }

    /// Makes sure that what is signed from here on has a newer date.
    mutating func contentChanged() {
        newest = newest.map { $0 + 1 }
    }
}
