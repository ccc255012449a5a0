/// A token bucket for each key, in the memory of this process. Buckets that are full again are forgotten.
package final class TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private let limit: TokenLimit
    private let now: @Sendable () -> Int64
    private let table: ExpiringTable<Key>

    /// Makes full buckets.
    ///
    /// - Parameters:
    ///   - limit: The limit of each.
    ///   - countMax: The maximum number of buckets that are not full. Above it, the fullest ones count as full.
    ///   - now: Real time in nanoseconds, which never goes back.
    init(_ limit: TokenLimit, countMax: Int = 65_536, now: @escaping @Sendable () -> Int64) {
        self.limit = limit
        self.now = now
        table = ExpiringTable(countMax: countMax)
    }

    /// The number of buckets in memory.
    var count: Int { table.count }

    /// Takes tokens from a bucket if it has them.
    func take(_ cost: Int = 1, from key: Key) -> RateLimitState {
        let now = now()
        return table.update(key, now: now) { limit.take(Int64(cost), from: &$0, now: now) }
    }

    /// The state of a bucket, from which nothing is taken.
    func state(of key: Key) -> RateLimitState {
        let now = now()
        return limit.state(fullAt: table.time(of: key) ?? now, now: now)
    }

    /// Fills a bucket.
    func fill(_ key: Key) { table.remove(key) }
}

/// Limits the requests of each client address.
package final class AddressLimiter: Sendable {
    private let buckets: TokenBuckets<ClientAddress>?

    /// Makes a limiter; without a limit it admits everything.
    init(_ limit: TokenLimit?, now: @escaping @Sendable () -> Int64) {
        buckets = limit.map { TokenBuckets($0, now: now) }
    }

    /// Makes a limiter with a rate per minute.
    ///
    /// - Parameters:
    ///   - perMinute: The requests per minute of each address; 0 for no limit.
    ///   - burst: The requests that an address may make at once, after a pause.
    ///   - now: Real time in nanoseconds, which never goes back.
    package convenience init(
        perMinute: Int,
        burst: Int,
        now: @escaping @Sendable () -> Int64 = RequestLimits.uptime
    ) {
        self.init(TokenLimit(perMinute, perSeconds: 60, burst: burst), now: now)
    }

    /// Takes tokens for a request.
    ///
    /// - Parameters:
    ///   - address: The client; nil if it is not limited.
    ///   - cost: The number of tokens.
    /// - Returns: Whether it is within the limit; nil if there is none.
    package func admit(_ address: ClientAddress?, cost: Int = 1) -> RateLimitState? {
        guard let buckets, let address else { return nil }
        return buckets.take(cost, from: address)
    }

    /// The state of an address, from which nothing is taken; nil if there is no limit.
    package func state(of address: ClientAddress?) -> RateLimitState? {
        guard let buckets, let address else { return nil }
        return buckets.state(of: address)
    }
}
