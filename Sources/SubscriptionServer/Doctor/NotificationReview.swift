import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Reviews when notifications of an app arrived, by its own usual rate.
struct NotificationReview: Sendable {
    /// The number of inputs among which notifications are read.
    static let newestMax = 500

    private static let dayMilliseconds: Int64 = 86_400_000
    /// The number of notifications from which a usual rate is known.
    private static let knownMin = 20
    /// How long an app without a known rate may have none.
    private static let unknownMilliseconds: Int64 = 90 * dayMilliseconds

    let app: AppID
    /// The newest notifications.
    let newest: [EvidenceSummary]
    /// The hours with notifications of the last days.
    let hours: [NotificationHour]
    /// The rule of the settings.
    let rule: QuietRule
    /// The start of the quiet time that the server has reported; nil if it is over.
    let quietSince: Timestamp?
    /// Nil if the clock of the app's store is unknown.
    let now: Timestamp?

    var finding: DoctorFinding {
        let name = app.rawValue
        guard let last = newest.map(\.signedAt).max() else {
            return .warning(
                .lastNotification,
                "notification_never",
                name,
                "No notification has ever arrived.",
                remedy: Self.remedy
            )
        }
        guard let now else { return .ok(.lastNotification, name, "The last one: \(last.dateAndTimeText).") }
        if let time = rule.quietTime(hours, at: now, reportedSince: quietSince) {
            let since = time.since.dateAndTimeText
            guard time.arrived > 0 else { return quiet("None arrived since \(since), which is unusual for this app.") }
            return quiet("Only \(time.arrived) arrived since \(since); at least \(time.usual) are usual for this app.")
        }
        let times = newest.filter { $0.type != "TEST" }.map(\.signedAt).sorted()
        guard let lastReal = times.last else {
            return .ok(.lastNotification, name, "Only test notifications arrived; the last: \(last.dateAndTimeText).")
        }
        if now > lastReal.adding(milliseconds: Self.pauseMax(times)) {
            let isUnusual = times.count >= Self.knownMin
            let why = isUnusual ? "and this app has them more often" : "more than 90 days ago"
            return quiet("The last one is of \(lastReal.dateAndTimeText), \(why).")
        }
        return .ok(.lastNotification, name, "The last one: \(lastReal.dateAndTimeText).")
    }

    private static let remedy = """
        Set https://HOST/v1/apple/notifications for this environment in App Store Connect, and run this command with \
        a test notification.
        """

    private func quiet(_ message: String) -> DoctorFinding {
        .warning(.lastNotification, "notification_quiet", app.rawValue, message, remedy: Self.remedy)
    }

    /// The longest pause that is usual: three times the longest one so far, and at least a day.
    ///
    /// - Parameter times: The times of notifications, in order.
    private static func pauseMax(_ times: [Timestamp]) -> Int64 {
        guard times.count >= knownMin else { return unknownMilliseconds }
        let longest = zip(times, times.dropFirst()).map { $1.milliseconds - $0.milliseconds }.max() ?? 0
        return max(dayMilliseconds, 3 * longest)
    }
}
