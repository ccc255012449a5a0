import SubscriptionCore
import SubscriptionStorage
import Synchronization

/// Counts the notifications that arrive, by app and hour, until they are written to the database.
///
/// A process that stops loses the counts since the last write, about a minute. They only estimate a rate.
final class NotificationTally: Sendable {
    private struct Key: Hashable {
        let app: AppID
        let hour: Timestamp
    }

    private static let keysMax = 10_000

    private let counts = Mutex<[Key: Int]>([:])

    /// Counts a notification.
    func count(_ app: AppID, at time: Timestamp) {
        let key = Key(app: app, hour: NotificationHour.start(of: time))
        counts.withLock { counts in
            guard counts[key] != nil || counts.count < Self.keysMax else { return }
            counts[key, default: 0] += 1
        }
    }

    /// Takes out the counts of an app.
    func take(of app: AppID) -> [NotificationHour] {
        counts.withLock { counts in
            let keys = counts.keys.filter { $0.app == app }
            return keys.map { NotificationHour(startsAt: $0.hour, count: counts.removeValue(forKey: $0) ?? 0) }
        }
    }

    /// Puts counts back that could not be written.
    func restore(_ hours: [NotificationHour], of app: AppID) {
        counts.withLock { counts in
            for hour in hours { counts[Key(app: app, hour: hour.startsAt), default: 0] += hour.count }
        }
    }
}
