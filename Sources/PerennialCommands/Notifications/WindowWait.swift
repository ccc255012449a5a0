import AppStoreModel
import SubscriptionCore

/// Decides when to stop waiting for a recovery window that a server compares.
///
/// The server repeats a failed query at `retry_at` of its own clock. If it follows a local store, this clock may stand
/// still, and then the query is never repeated.
struct WindowWait {
    /// Why waiting is over.
    enum Reason: Hashable {
        /// The time of the repetition, in milliseconds since 1970, has passed by this machine's clock, but the server
        /// has not repeated the query. Its clock stands still, unless it says a later time.
        case clockStandsStill(until: Int64)
        /// Queries failed for a long time, without any progress.
        case failing
        /// Nothing changed for a long time, without any failure.
        case unchanged
    }

    /// How much later than planned a query may be repeated.
    static let delayMax = Duration.seconds(15)
    /// The longest wait without progress while queries fail.
    static let failingMax = Duration.seconds(3_600)
    /// The longest wait without progress and without a failure.
    static let unchangedMax = Duration.seconds(600)

    private var progress: [Int64] = []
    private var progressAt = Duration.zero

    /// Looks at a running window.
    ///
    /// - Parameters:
    ///   - window: The window as the server returned it.
    ///   - waited: The time since the window was made, by a clock that nobody sets.
    /// - Returns: Why to stop; nil to go on.
    mutating func look(at window: JSONObject, after waited: Duration) -> Reason? {
        let counts = ["sent", "held", "recovered", "retrying", "refused", "missing"].map { window.count($0) }
        if counts != progress { (progress, progressAt) = (counts, waited) }
        let idle = waited - progressAt
        guard let retryAt = window["retry_at"]?.integerValue else { return idle > Self.unchangedMax ? .unchanged : nil }
        if idle > Self.failingMax { return .failing }
        // The server made the window at its own time, so no difference between the clocks counts.
        if let createdAt = window["created_at"]?.integerValue,
            waited > .milliseconds(max(0, retryAt - createdAt)) + Self.delayMax
        {
            return .clockStandsStill(until: retryAt)
        }
        return nil
    }
}

extension WindowWait.Reason {
    /// Whether the server's time confirms the reason. A clock that shows a later time does not stand still: the server
    /// is busy.
    ///
    /// - Parameter time: The server's time in milliseconds since 1970; nil if it is not known.
    func isConfirmed(atServerTime time: Int64?) -> Bool {
        guard case .clockStandsStill(let until) = self, let time else { return true }
        return time < until
    }

    /// The stable code and one sentence with the remedy.
    ///
    /// - Parameter window: The identifier of the window.
    func text(_ window: String) -> String {
        let later = "The server goes on with it: look at GET /v1/recovery/windows/\(window) later"
        switch self {
        case .clockStandsStill(let time):
            let time = Timestamp(milliseconds: time).dateAndTimeText
            return
                "recovery_clock_stands_still: the query failed, and the server repeats it at \(time) "
                + "of its clock, which stands still or is slow. If it follows a local store, advance the store's "
                + "clock (POST /_store/clock/advance). \(later)."
        case .failing:
            return "recovery_failing: every query failed for an hour, see the error of the window. \(later)."
        case .unchanged:
            return "recovery_unchanged: the window did not change for ten minutes. Check the server's log, and that a "
                + "server with the app's key for the App Store Server API runs. \(later)."
        }
    }
}
