import HTTPTypes

/// A server that follows the store's clock: it receives each new time, and the store waits until it has caught up.
struct Follower: Hashable, Sendable, Codable {
    /// The identifier of the registration.
    let id: String
    /// The URL that receives the time.
    let settleURL: String
    /// The secret that authenticates the store to the follower.
    let token: String
}

/// The servers that follow the clock, in the order in which they joined.
///
/// Each settle URL has one registration. A server that restarts after a crash replaces its registration.
struct FollowerRegistry: Hashable, Sendable, Codable {
    /// The maximum number of followers of one store.
    static let countMax = 64

    private(set) var followers: [Follower] = []
    private var joinedCount = 0

    /// Adds a server, or updates the registration of its settle URL.
    ///
    /// - Throws: `too_many_followers`.
    mutating func join(settleURL: String, token: String) throws(StoreCallError) -> Follower {
        let known = followers.firstIndex { $0.settleURL == settleURL }
        guard known != nil || followers.count < Self.countMax else {
            throw StoreCallError(
                .conflict,
                code: "too_many_followers",
                message:
                    "\(Self.countMax) servers follow this store already: remove one with DELETE /_store/followers/{id}"
            )
        }
        joinedCount += 1
        let follower = Follower(id: "follower-\(joinedCount)", settleURL: settleURL, token: token)
        if let known { followers[known] = follower } else { followers.append(follower) }
        return follower
    }

    /// Removes a registration.
    ///
    /// - Returns: Whether it existed.
    mutating func leave(id: String) -> Bool {
        guard let index = followers.firstIndex(where: { $0.id == id }) else { return false }
        followers.remove(at: index)
        return true
    }

    /// Removes every registration.
    mutating func removeAll() {
        followers.removeAll()
    }

    /// The current registration of a settle URL.
    func follower(at settleURL: String) -> Follower? {
        followers.first { $0.settleURL == settleURL }
    }
}
