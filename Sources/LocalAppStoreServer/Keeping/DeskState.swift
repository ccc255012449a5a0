import LocalAppStore

/// Everything that a store is, apart from its keys and its address.
struct DeskState: Sendable, Codable {
    /// The store as it stands.
    var store: LocalAppStore
    /// The store as it was opened, with nothing sold.
    let origin: LocalAppStore
    var followers = FollowerRegistry()
    var snapshots = SnapshotShelf()

    /// A store that was just opened.
    init(opening store: LocalAppStore) {
        self.store = store
        origin = store
    }

    /// A store as it stands.
    init(store: LocalAppStore, origin: LocalAppStore, followers: FollowerRegistry, snapshots: SnapshotShelf) {
        self.store = store
        self.origin = origin
        self.followers = followers
        self.snapshots = snapshots
    }
}
