import LocalAppStore
import Logging

/// How long the store waits for a follower that it cannot reach, in real time.
struct FollowerPatience: Hashable, Sendable {
    /// The pause between two tries.
    var pause: Duration = .milliseconds(50)
    /// From the first failed try until the follower is dropped.
    var limit: Duration = .seconds(10)
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
        if let notificationURL {
            try read { store in try store.setNotificationEndpoint(url: notificationURL.text) }
        }
        let follower = try followers.join(settleURL: settleURL.text, token: token)
        return (follower, store.now)
    }

    /// Removes a registration; whether there was one.
    func leave(id: String) -> Bool {
        followers.leave(id: id)
    }

    /// Tells every follower the present instant, and waits until each has caught up or is given up.
    func settleFollowers(_ report: inout AdvanceReport) async throws {
        for follower in followers.followers {
            guard try await settle(follower.settleURL) == false else { continue }
            guard let lost = followers.follower(at: follower.settleURL), followers.leave(id: lost.id) else { continue }
            report.lost.append(lost.settleURL)
            logger.warning("a follower was out of reach and is dropped", metadata: ["settleUrl": "\(lost.settleURL)"])
        }
    }

    /// Tells one follower, again and again while it is out of reach.
    ///
    /// The registration is looked up for every try: a server that was killed and started again registers anew, with
    /// another token, while the store waits for it.
    ///
    /// - Returns: `false` when the patience is used up.
    private func settle(_ settleURL: String) async throws -> Bool {
        let clock = ContinuousClock()
        var firstFailure: ContinuousClock.Instant?
        while let follower = followers.follower(at: settleURL) {
            if try await caller.settle(follower, now: store.now) { return true }
            let since = firstFailure ?? clock.now
            firstFailure = since
            if clock.now - since >= patience.limit { return false }
            try checkRunning()
            try await Task.sleep(for: patience.pause)
        }
        return true
    }
}
