import AppStoreModel
import Synchronization

/// Spaces the calls of each app, environment and call by their limits: a token bucket per key.
///
/// A bucket is kept as the instant when it would be full again: no timers, no refilling. Callers who must wait take
/// their place at once, so they are served in order.
final class RateLimiter: Sendable {
    struct Key: Hashable, Sendable {
        let bundleId: String
        let environment: AppStoreEnvironment
        let call: String
    }

    /// What a caller is to do.
    enum Admission: Hashable, Sendable {
        /// Go after so many milliseconds; the place is taken.
        case after(Int64)
        /// The wait, in milliseconds, would be longer than allowed; no place was taken.
        case refused(wait: Int64)
    }

    private struct Bucket {
        /// When the bucket is full again, in microseconds of the monotonic clock.
        var fullAt: Int64 = .min
        /// Until when the server allows nothing, in the same unit.
        var heldUntil: Int64 = .min
        /// The places that were given back, the earliest first, in the same unit.
        var free: [Int64] = []
    }

    /// No instruction of the server holds calls longer: its quota is by the hour.
    static let holdMillisecondsMax: Int64 = 3_600_000

    /// Ten thousand years: an instant beyond is no instant.
    private static let millisecondsMax: Int64 = 315_360_000_000_000

    private let buckets = Mutex<[Key: Bucket]>([:])

    /// Takes the next place.
    ///
    /// - Parameters:
    ///   - key: Whose.
    ///   - limit: The limit; nil for none, so that only an instruction of the server counts.
    ///   - now: Milliseconds of the monotonic clock.
    ///   - waitMax: The longest wait that is worth it, in milliseconds.
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

    /// Lets a caller through whose wait is over, unless the server has forbidden it meanwhile: then it takes a new
    /// place.
    ///
    /// Were the old places good after that, all whom the server held up would go at once when it is over.
    func readmit(_ key: Key, limit: RateLimit?, now: Int64, waitMax: Int64) -> Admission {
        let instant = min(max(0, now), Self.millisecondsMax) * 1000
        let isHeld = buckets.withLock { $0[key].map { $0.heldUntil > instant } ?? false }
        return isHeld ? admit(key, limit: limit, now: now, waitMax: waitMax) : .after(0)
    }

    /// Gives back a place that a caller took and will not use, so that the next one can.
    ///
    /// - Parameters:
    ///   - key: Whose.
    ///   - instant: When the caller was to go, in milliseconds of the monotonic clock.
    func giveBack(_ key: Key, at instant: Int64) {
        let place = min(max(0, instant), Self.millisecondsMax) * 1000
        buckets.withLock { buckets in
            guard var bucket = buckets[key] else { return }
            bucket.free.insert(place, at: bucket.free.firstIndex { $0 > place } ?? bucket.free.endIndex)
            buckets[key] = bucket
        }
    }

    /// Lets nobody through for a while, as the server asked; at most ``holdMillisecondsMax``.
    func hold(_ key: Key, milliseconds: Int64, now: Int64) {
        let now = min(max(0, now), Self.millisecondsMax)
        let until = (now + min(max(0, milliseconds), Self.holdMillisecondsMax)) * 1000
        buckets.withLock { buckets in
            let held = buckets[key, default: Bucket()].heldUntil
            buckets[key, default: Bucket()].heldUntil = max(held, until)
        }
    }

    private static func admission(at instant: Int64, now: Int64, waitMax: Int64) -> Admission {
        // Rounded up: to come a fraction of a millisecond early is to come too early.
        let wait = (instant - now + 999) / 1000
        return wait <= max(0, waitMax) ? .after(wait) : .refused(wait: wait)
    }
}
