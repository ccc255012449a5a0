import AppStoreModel
import Synchronization

/// Spaces the calls of each app, environment and call by their limits: a token bucket per key.
///
/// A bucket is stored as the time at which it is full again: no timers, no refilling. Waiting callers reserve a slot at
/// once, so they are served in order.
final class RateLimiter: Sendable {
    struct Key: Hashable, Sendable {
        let bundleId: String
        let environment: AppStoreEnvironment
        let call: String
    }

    /// The decision for a caller.
    enum Admission: Hashable, Sendable {
        /// Proceed after this many milliseconds; a slot is reserved.
        case after(Int64)
        /// The wait, in milliseconds, would exceed the maximum; no slot was reserved.
        case refused(wait: Int64)
    }

    private struct Bucket {
        /// When the bucket is full again, in microseconds of the monotonic clock.
        var fullAt: Int64 = .min
        /// Until when the server refuses calls, in the same unit.
        var heldUntil: Int64 = .min
        /// The released slots, earliest first, in the same unit.
        var free: [Int64] = []
    }

    /// The maximum hold by the server: its quota is per hour.
    static let holdMillisecondsMax: Int64 = 3_600_000

    /// Ten thousand years: the limit of valid times.
    private static let millisecondsMax: Int64 = 315_360_000_000_000

    private let buckets = Mutex<[Key: Bucket]>([:])

    /// Reserves the next slot.
    ///
    /// - Parameters:
    ///   - key: The bucket.
    ///   - limit: The limit; nil for none, so that only the server's holds count.
    ///   - now: Milliseconds of the monotonic clock.
    ///   - waitMax: The maximum wait, in milliseconds.
    func admit(_ key: Key, limit: RateLimit?, now: Int64, waitMax: Int64) -> Admission {
        let now = min(max(0, now), Self.millisecondsMax) * 1000
        return buckets.withLock { buckets in
            guard limit != nil || buckets[key] != nil else { return .after(0) }
            var bucket = buckets[key] ?? Bucket()
            let start = max(now, bucket.heldUntil)
            guard let limit else { return Self.admission(at: start, now: now, waitMax: waitMax) }
            let lead = limit.spacing * Int64(limit.burst - 1)
            let at = max(start, bucket.fullAt.subtractingClamped(lead))
            bucket.free.removeAll { $0 < now }
            if let index = bucket.free.firstIndex(where: { (start..<at).contains($0) }) {
                let admission = Self.admission(at: bucket.free[index], now: now, waitMax: waitMax)
                if case .after = admission { bucket.free.remove(at: index) }
                buckets[key] = bucket
                return admission
            }
            let admission = Self.admission(at: at, now: now, waitMax: waitMax)
            if case .after = admission {
                bucket.fullAt = max(at, bucket.fullAt) + limit.spacing
                buckets[key] = bucket
            }
            return admission
        }
    }

    /// Admits a caller after its wait, unless the server has refused calls in the meantime: then it reserves a new
    /// slot.
    ///
    /// If the old slots stayed valid, all waiting callers would proceed at once after the hold.
    func readmit(_ key: Key, limit: RateLimit?, now: Int64, waitMax: Int64) -> Admission {
        let time = min(max(0, now), Self.millisecondsMax) * 1000
        let isHeld = buckets.withLock { $0[key].map { $0.heldUntil > time } ?? false }
        return isHeld ? admit(key, limit: limit, now: now, waitMax: waitMax) : .after(0)
    }

    /// Releases a reserved slot that a caller will not use, so that the next one can.
    ///
    /// - Parameters:
    ///   - key: The bucket.
    ///   - time: The time of the slot, in milliseconds of the monotonic clock.
    func release(_ key: Key, at time: Int64) {
        let slot = min(max(0, time), Self.millisecondsMax) * 1000
        buckets.withLock { buckets in
            guard var bucket = buckets[key] else { return }
            bucket.free.insert(slot, at: bucket.free.firstIndex { $0 > slot } ?? bucket.free.endIndex)
            buckets[key] = bucket
        }
    }

    /// Admits nobody for a time, as the server asked; at most ``holdMillisecondsMax``.
    func hold(_ key: Key, milliseconds: Int64, now: Int64) {
        let now = min(max(0, now), Self.millisecondsMax)
        let until = (now + min(max(0, milliseconds), Self.holdMillisecondsMax)) * 1000
        buckets.withLock { buckets in
            let held = buckets[key, default: Bucket()].heldUntil
            buckets[key, default: Bucket()].heldUntil = max(held, until)
        }
    }

    private static func admission(at time: Int64, now: Int64, waitMax: Int64) -> Admission {
        // Rounded up: even a fraction of a millisecond early would be too early.
        let wait = (time - now + 999) / 1000
        return wait <= max(0, waitMax) ? .after(wait) : .refused(wait: wait)
    }
}
