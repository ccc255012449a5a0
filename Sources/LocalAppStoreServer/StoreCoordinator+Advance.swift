import AppStoreModel
import LocalAppStore

/// The result of an advance of the clock.
struct AdvanceReport: Hashable, Sendable {
    /// Times at which something was due.
    var steps = 0
    /// Notifications that the developer's server accepted.
    var sent = 0
    /// Attempts to deliver that failed, with the retries.
    var failed = 0
    /// Servers that had caught up when the advance ended.
    var settled = 0
    /// Settle URLs of servers that stayed unreachable and were dropped.
    var lost: [String] = []
    /// Real time spent on unreachable followers, by settle URL.
    var awaited: [String: Duration] = [:]
}

extension StoreCoordinator {
    /// Moves the clock from one due time to the next, and returns when both sides have processed everything due.
    ///
    /// - Parameter target: Returns the target time for the current time; milliseconds since 1970.
    /// - Returns: The report, and the time that was reached.
    /// - Throws: What `target` throws; `store_busy`, `store_stopping`.
    func advance(to target: @Sendable (Int64) throws -> Int64) async throws -> (report: AdvanceReport, now: Int64) {
        try await exclusively {
            var report = AdvanceReport()
            try await runUntilPresent(&report)
            let end = try target(store.now)
            // What a follower has to do at the present time is done before the time passes.
            if end > store.now, store.nextDue(atOrBefore: store.now) == nil { try await settleFollowers(&report) }
            try await run(to: end, &report)
            report.settled = followers.followers.count
            return (report, store.now)
        }
    }

    /// Steps from one due time to the next, and then to the end.
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

    /// Makes the requests and deliveries that are due at the current time, and then waits for every follower.
    func catchUp(_ report: inout AdvanceReport) async throws {
        repeat {
            try await makePerformanceCalls()
            try await deliver(&report)
            try await settleFollowers(&report)
        } while !dueDeliveries().isEmpty
    }
}
