import LocalAppStore
import Logging

/// How long the store waits for a follower that it cannot reach, in real time.
struct FollowerPatience: Hashable, Sendable {
    /// The pause between two tries.
    var pause: Duration = .milliseconds(50)
    /// From the start of the first failed try until the follower is dropped; a try that runs by then ends it.
    var limit: Duration = .seconds(10)

    /// What all absences of one follower together may cost one command: more than one, since a server that is killed
    /// and started again comes back each time.
    var total: Duration { limit * 6 }
}

/// What waiting for one follower came to.
private struct FollowerWait: Sendable {
    let settleURL: String
    /// Real time spent on failed tries, in the whole command.
    var awaited: Duration
    /// Whether the patience is used up.
    var isLost = false
}

extension StoreDesk {
    /// Registers a server; it takes effect at once, even while the clock is being advanced.
    ///
    /// - Parameters:
    ///   - settleURL: Where the server wants to be told the instant.
    ///   - token: The secret that is sent along.
    ///   - notificationURL: Becomes the notification endpoint when given.
    /// - Returns: The registration, and the present instant.
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

    /// Removes a registration; whether there was one.
    func leave(id: String) -> Bool {
        followers.leave(id: id)
    }

    /// Tells every follower the present instant, all at the same time, and waits until each has caught up or is given
    /// up.
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
            "a follower was out of reach and is dropped: start it again to let it follow",
            metadata: ["settleUrl": "\(follower.settleURL)"]
        )
    }

    /// Tells one follower, again and again while it is out of reach.
    ///
    /// The registration is looked up for every try: a server that was killed and started again registers anew, with
    /// another token, while the store waits for it.
    ///
    /// - Parameter wait: What the command spent on this follower before.
    private func settle(_ wait: FollowerWait) async throws -> FollowerWait {
        let clock = ContinuousClock()
        let start = clock.now
        var result = wait
        var isWarned = false
        while let follower = followers.follower(at: wait.settleURL) {
            // A try that succeeds is work, not absence.
            result.awaited = wait.awaited + (clock.now - start)
            if try await caller.settle(follower, now: store.now) { return result }
            if !isWarned { warn(of: follower) }
            isWarned = true
            let absence = clock.now - start
            result.awaited = wait.awaited + absence
            result.isLost = absence >= patience.limit || result.awaited >= patience.total
            guard !result.isLost else { return result }
            try checkRunning()
            try await Task.sleep(for: patience.pause)
        }
        return result
    }

    private func warn(of follower: Follower) {
        logger.warning(
            "a follower is out of reach: the command waits for it",
            metadata: ["settleUrl": "\(follower.settleURL)", "atMost": "\(patience.limit)"]
        )
    }
}
