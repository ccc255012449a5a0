import AppStoreModel
import LocalAppStore

/// What an advance of the clock did.
struct AdvanceReport: Hashable, Sendable {
    /// Instants at which something was due.
    var steps = 0
    /// Notifications that the developer's server took.
    var sent = 0
    /// Attempts that failed; each may be followed by another one.
    var failed = 0
    /// Servers that had caught up when the advance ended.
    var settled = 0
    /// Settle URLs of servers that stayed out of reach and were dropped.
    var lost: [String] = []
    /// Real time that was spent on followers out of reach, by settle URL.
    var awaited: [String: Duration] = [:]
}

extension StoreCoordinator {
    /// Moves the clock, instant by instant, and returns when everything due has happened on both sides.
    ///
    /// - Parameter target: Says where to, given the present instant; milliseconds since 1970.
    /// - Returns: What happened, and the instant that was reached.
    /// - Throws: What `target` throws; `store_busy`, `store_stopping`.
    func advance(to target: @Sendable (Int64) throws -> Int64) async throws -> (report: AdvanceReport, now: Int64) {
        try await exclusively {
            var report = AdvanceReport()
            try await runUntilPresent(&report)
            try await run(to: try target(store.now), &report)
            report.settled = followers.followers.count
            return (report, store.now)
        }
    }

    /// Steps from one due instant to the next, and then to the end.
    func run(to end: Int64, _ report: inout AdvanceReport) async throws {
        while let time = store.nextDue(atOrBefore: end) {
            try checkRunning()
            try await step(to: time)
            try await catchUp(&report)
            report.steps += 1
        }
        if store.now < end {
            try await step(to: end)
            try await catchUp(&report)
        }
    }

    /// Asks and delivers what is due at the present instant, and then lets every follower catch up.
    func catchUp(_ report: inout AdvanceReport) async throws {
        repeat {
            try await makePerformanceCalls()
            try await deliver(&report)
            try await settleFollowers(&report)
        } while !dueDeliveries().isEmpty
    }
}
