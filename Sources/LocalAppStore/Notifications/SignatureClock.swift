/// Keeps the signing dates of a purchase unique: payloads with the same date have the same content.
///
/// Receivers keep the newest `signedDate` per record, so two contents with one date would be ambiguous.
struct SignatureClock: Hashable, Sendable, Codable {
    /// The newest date used, milliseconds since 1970.
    private var newest: Int64?

    /// The date for new content: now, or just after the newest date used.
    mutating func dateForNewContent(now: Int64) -> Int64 {
        let date = max(now, newest.map { $0 + 1 } ?? now)
        newest = date
        return date
    }

    /// The date for content that was already announced: now, or the newest date used.
    mutating func dateForSameContent(now: Int64) -> Int64 {
        let date = max(now, newest ?? now)
        newest = date
        return date
    }

    /// Assumes that something was signed at a time.
    mutating func assumeUsed(at now: Int64) { newest = max(newest ?? now, now) }

    /// Ensures that later signatures have a newer date.
    mutating func contentChanged() {
        newest = newest.map { $0 + 1 }
    }
}
