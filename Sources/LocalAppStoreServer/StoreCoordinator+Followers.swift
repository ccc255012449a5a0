import LocalAppStore
import Logging

/// How long the store retries an unreachable follower, in real time.
struct FollowerTimeouts: Hashable, Sendable {
    /// The pause between two attempts.
    var pause: Duration = .milliseconds(50)
    /// From the start of the first failed attempt until the follower is dropped. The current attempt is the last one.
    var limit: Duration = .seconds(10)

    /// The maximum time that all outages of one follower may add to one command. A server that is killed and restarted
    /// repeatedly has several outages.
    var total: Duration { limit * 6 }
}

/// The time spent on one follower.
private struct FollowerWait: Sendable {
    let settleURL: String
    /// Real time spent on failed attempts in the whole command.
    var awaited: Duration
    /// Whether the time limit is reached.
    var isLost = false
}

extension StoreCoordinator {
    /// Registers a server. The registration takes effect at once, even during an advance of the clock.
    ///
    /// - Parameters:
    ///   - settleURL: Receives the current time.
    ///   - token: The secret that is sent with each request.
    ///   - notificationURL: Becomes the notification endpoint if it is given.
    /// - Returns: The registration, and the current time.
    func join(
        settleURL: WebURL,
        token: String,
        notificationURL: WebURL?
    ) throws -> (follower: Follower, now: Int64) {
        let follower = try followers.join(settleURL: settleURL.text, token: token)
        do {
            if let notificationURL {
                try read { store in try store.setNotificationEndpoint(url: notificationURL.text) }
            }
        } catch {
            _ = followers.leave(id: follower.id)
            throw error
        }
        return (follower, store.now)
    }

    /// Removes a registration; returns whether it existed.
    func leave(id: String) -> Bool {
        followers.leave(id: id)
    }

    /// Sends the current time to all followers concurrently, and waits until each has caught up or was dropped.
    func settleFollowers(_ report: inout AdvanceReport) async throws {
        let waits = try await settleAll(
            followers.followers.map {
                FollowerWait(settleURL: $0.settleURL, awaited: report.awaited[$0.settleURL] ?? .zero)
            }
        )
        for follower in followers.followers {
            guard let wait = waits[follower.settleURL] else { continue }
            report.awaited[wait.settleURL] = wait.awaited
            if wait.isLost { drop(follower, &report) }
        }
    }

    private func settleAll(_ waits: [FollowerWait]) async throws -> [String: FollowerWait] {
        try await withThrowingTaskGroup(of: FollowerWait.self) { group in
            for wait in waits {
                group.addTask { try await self.settle(wait) }
            }
            var results: [String: FollowerWait] = [:]
            while let result = try await group.next() { results[result.settleURL] = result }
            return results
        }
    }

    private func drop(_ follower: Follower, _ report: inout AdvanceReport) {
        guard followers.leave(id: follower.id) else { return }
        report.lost.append(follower.settleURL)
        logger.warning(
            "a follower was unreachable and was dropped: restart it to register it again",
            metadata: ["settleUrl": "\(follower.settleURL)"]
        )
    }

    /// Sends the current time to one follower, and retries while it is unreachable.
    ///
    /// Each attempt reads the registration again. A server that was killed and restarted registers with a new token
    /// while the store waits.
    ///
    /// - Parameter wait: The time that the command already spent on this follower.
    private func settle(_ wait: FollowerWait) async throws -> FollowerWait {
        let clock = ContinuousClock()
        let start = clock.now
        var result = wait
        var isWarned = false
        while let follower = followers.follower(at: wait.settleURL) {
            // A successful attempt is work, not an outage.
            result.awaited = wait.awaited + (clock.now - start)
            if try await caller.settle(follower, now: store.now) { return result }
            if !isWarned { warn(of: follower) }
            isWarned = true
            let absence = clock.now - start
            result.awaited = wait.awaited + absence
            result.isLost = absence >= timeouts.limit || result.awaited >= timeouts.total
            guard !result.isLost else { return result }
            try checkRunning()
            try await Task.sleep(for: timeouts.pause)
        }
        return result
    }

    private func warn(of follower: Follower) {
        logger.warning(
            "a follower is unreachable: the command waits for it",
            metadata: ["settleUrl": "\(follower.settleURL)", "atMost": "\(timeouts.limit)"]
        )
    }
}
