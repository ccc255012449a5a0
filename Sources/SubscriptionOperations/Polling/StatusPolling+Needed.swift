import SubscriptionCore
import SubscriptionStorage

extension StatusPolling {
    /// The entries that Apple has to be asked for now. The others are moved to their time, or removed.
    ///
    /// The entry of a purchase that cannot be read is tried again later, like a failed query, so that it does not stop
    /// the others.
    ///
    /// - Throws: ``StorageError``.
    func needed(_ due: [StatusPoll], of app: AppID, at now: Timestamp) async throws(StorageError) -> [DuePoll] {
        let plan = PollPlan(settings: settings, policy: intake.policy)
        // A fact that comes meanwhile has its own entry where this one is too late.
        let (entries, unreadable) = try await database.read { [histories] storage throws(StorageError) in
            var entries: [(due: DuePoll, next: Timestamp?)] = []
            var unreadable: [StatusPoll] = []
            for var poll in due {
                guard let ledger = try storage.readableLedger(of: poll.purchaseID, app: app) else {
                    unreadable.append(poll)
                    continue
                }
                poll.wantsHistory = poll.wantsHistory && histories.areNeeded(for: ledger, app: app)
                poll.omitsEvents = poll.omitsEvents && poll.wantsHistory
                entries.append((DuePoll(poll, ledger), poll.wantsHistory ? now : plan.next(for: ledger, at: now)))
            }
            return (entries, unreadable)
        }
        var needed: [DuePoll] = []
        var moved = unreadable.map { poll -> (poll: StatusPoll, next: StatusPoll?) in
            metrics.count(.failed)
            return (poll, poll.retried(at: now, first: Self.firstPause, longest: Self.longestPause))
        }
        var purchases: Set<OriginalTransactionID> = []
        // A second entry of the same subscription is not needed; one that wants the history includes the status.
        let withHistory = Set(entries.lazy.map(\.due.poll).filter(\.wantsHistory).map(\.purchaseID))
        for (due, next) in entries {
            let poll = due.poll
            let isIncluded = !poll.wantsHistory && withHistory.contains(poll.purchaseID)
            if !isIncluded, let next, next <= now, purchases.insert(poll.purchaseID).inserted {
                needed.append(due)
            } else {
                let later = next.flatMap { $0 > now ? $0 : nil }
                moved.append((poll, later.map { StatusPoll(dueAt: $0, purchaseID: poll.purchaseID) }))
            }
        }
        if !moved.isEmpty {
            try await database.write { [moved] storage throws(StorageError) in
                for (poll, next) in moved {
                    try storage.remove(poll, of: app)
                    if let next { try storage.plan(next, of: app) }
                }
            }
        }
        return needed
    }
}
