/// Keeps the signing dates of a purchase unique: payloads with the same date have the same content.
///
/// Receivers keep the newest `signedDate` per record, so two contents with one date would be ambiguous.
struct SignatureClock: Hashable, Sendable, Codable {
    /// The newest date used or, after a change, the first one that is free, milliseconds since 1970.
    private var newest: Int64?
    /// Whether the content has changed since the last signature.
    private var hasChanged = false

    private enum CodingKeys: CodingKey { case newest, hasChanged }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        newest = try container.decodeIfPresent(Int64.self, forKey: .newest)
        hasChanged = try container.decodeIfPresent(Bool.self, forKey: .hasChanged) ?? false
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(newest, forKey: .newest)
        if hasChanged { try container.encode(true, forKey: .hasChanged) }
    }

    /// The date of a signature: now or, if that is later, the newest date used or the one after it.
    mutating func date(now: Int64) -> Int64 {
        let date = max(now, newest ?? now)
        newest = date
        hasChanged = false
        return date
    }

    /// Assumes that something was signed at a time.
    mutating func assumeUsed(at now: Int64) {
        newest = max(newest ?? now, now)
        hasChanged = false
    }

    /// Ensures that later signatures have a newer date.
    mutating func contentChanged() {
        guard !hasChanged, let newest else { return }
        self.newest = newest + 1
        hasChanged = true
    }
}
