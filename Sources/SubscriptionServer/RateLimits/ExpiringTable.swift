import Synchronization

/// Times by key, of which only those in the future matter. Its size is bounded.
///
/// It is divided, so that requests on several threads seldom wait for each other.
final class ExpiringTable<Key: Hashable & Sendable>: Sendable {
    private final class Part: Sendable {
        let times = Mutex<[Key: Int64]>([:])
    }

    private let parts: [Part]
    private let partCountMax: Int

    /// Makes an empty table.
    ///
    /// - Parameters:
    ///   - countMax: The maximum number of keys.
    ///   - parts: The number of parts, a power of two.
    init(countMax: Int = 65_536, parts: Int = 16) {
        self.parts = (0..<parts).map { _ in Part() }
        partCountMax = max(2, countMax / parts)
    }

    /// The number of keys.
    var count: Int { parts.reduce(0) { $0 + $1.times.withLock { $0.count } } }

    /// The time of a key; nil if it has none.
    func time(of key: Key) -> Int64? {
        part(of: key).times.withLock { $0[key] }
    }

    func remove(_ key: Key) {
        part(of: key).times.withLock { $0[key] = nil }
    }

    /// Reads and changes the time of a key, which is the given one if the key has none.
    func update<Result: Sendable>(_ key: Key, now: Int64, _ change: (inout Int64) -> Result) -> Result {
        part(of: key).times.withLock { times in
            if times.count >= partCountMax, times[key] == nil { Self.shrink(&times, below: partCountMax, now: now) }
            return change(&times[key, default: now])
        }
    }

    private func part(of key: Key) -> Part {
        parts[key.hashValue & (parts.count - 1)]
    }

    /// Removes past times. If that is not enough, it removes half of the others, the earliest first: for a token bucket
    /// those are the fullest ones.
    private static func shrink(_ times: inout [Key: Int64], below countMax: Int, now: Int64) {
        times = times.filter { $0.value > now }
        guard times.count > countMax / 4 * 3 else { return }
        let sorted = times.values.sorted()
        let middle = sorted[sorted.count / 2]
        times = times.filter { $0.value > middle }
    }
}
