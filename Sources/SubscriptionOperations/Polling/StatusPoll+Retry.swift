import SubscriptionCore
import SubscriptionStorage

extension StatusPoll {
    /// The entry after a failed query: twice as late each time, and up to a quarter more, so that not all come back at
    /// the same moment.
    ///
    /// - Parameter longest: The longest pause, with that quarter.
    func retried(at now: Timestamp, first: Int64, longest: Int64) -> StatusPoll {
        let pause = min(first << Int64(min(failures, 6)), longest * 4 / 5)
        let part = Int64(purchaseID.rawValue.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFF })
        return StatusPoll(
            dueAt: now.adding(milliseconds: pause + pause * part / 1_024),
            purchaseID: purchaseID,
            failures: failures + 1,
            wantsHistory: wantsHistory,
            omitsEvents: omitsEvents
        )
    }
}

extension StorageWriting {
    /// Adds an entry. One for the status alone does not replace an entry of the same time, which may want the history.
    ///
    /// - Throws: ``StorageError``.
    func plan(_ poll: StatusPoll, of app: AppID) throws(StorageError) {
        if poll.wantsHistory {
            try save(poll, of: app)
        } else {
            try insert(once: poll, in: app)
        }
    }
}
