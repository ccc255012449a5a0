import HTTPTypes

/// A server that follows the store's clock: it is told every instant, and the store waits until it has caught up.
struct Follower: Hashable, Sendable, Codable {
    /// The store's name for the registration.
    let id: String
    /// Where it wants to be told.
    let settleURL: String
    /// The secret that shows the follower who calls.
    let token: String
}

/// The servers that follow the clock, in the order in which they joined.
///
/// One settle URL has one registration: a server that comes back after a crash takes its old place.
struct FollowerRegistry: Hashable, Sendable, Codable {
    /// The most servers that may follow one store.
    static let countMax = 64

    private(set) var followers: [Follower] = []
    private var joinedCount = 0

    /// Adds a server, or renews the registration of its settle URL.
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
    /// - Returns: Whether there was one.
    mutating func leave(id: String) -> Bool {
        guard let index = followers.firstIndex(where: { $0.id == id }) else { return false }
        followers.remove(at: index)
        return true
    }

    /// Removes every registration.
    mutating func removeAll() {
        followers.removeAll()
    }

    /// The present registration of a settle URL.
    func follower(at settleURL: String) -> Follower? {
        followers.first { $0.settleURL == settleURL }
    }
}
