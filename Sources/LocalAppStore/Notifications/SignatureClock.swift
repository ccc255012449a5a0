/// Keeps the signing dates of a purchase unique: payloads with the same date have the same content.
///
/// Receivers keep the newest `signedDate` per record, so two contents with one date would be ambiguous.
struct SignatureClock: Hashable, Sendable, Codable {
    /// The newest date used or, after a change, the first one that is free, milliseconds since 1970.
    private var newest: Int64?
    /// Whether the content has changed since the last signature.
    private var hasChanged = false

    private enum CodingKeys: CodingKey { case newest }

    static func == (one: SignatureClock, other: SignatureClock) -> Bool { one.newest == other.newest }

    func hash(into hasher: inout Hasher) { hasher.combine(newest) }

    /// The date of a signature: now or, if that is later, the newest date used or the one after it.
    mutating func date(now: Int64) -> Int64 {
        let date = max(now, newest ?? now)
        newest = date
        hasChanged = false
        return date
    }

    /// Assumes that something was signed at a time.
    mutating func assumeUsed(at now: Int64) { newest = max(newest ?? now, now) }

    /// Ensures that later signatures have a newer date.
    mutating func contentChanged() {
        guard !hasChanged, let newest else { return }
        self.newest = newest + 1
        hasChanged = true
    }
}
