import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore

/// Everything that a store is, apart from its keys and its address.
struct CoordinatorState: Sendable {
    /// The store as it stands.
    var store: LocalAppStore
    /// The store as it was opened, with nothing sold.
    private(set) var origin: LocalAppStore
    var followers = FollowerRegistry()
    var snapshots = SnapshotList()

    /// A store that was just opened.
    init(opening store: LocalAppStore) {
        self.store = store
        origin = store
    }

    /// Signs with a signer from now on, whichever state is gone on from.
    mutating func setSigner(_ signer: JWSSigner, receipts: TestReceiptAuthority) {
        store.setSigner(signer, receipts: receipts)
        origin.setSigner(signer, receipts: receipts)
        snapshots.setSigner(signer, receipts: receipts)
    }

    /// A store as it stands.
    init(store: LocalAppStore, origin: LocalAppStore, followers: FollowerRegistry, snapshots: SnapshotList) {
        self.store = store
        self.origin = origin
        self.followers = followers
        self.snapshots = snapshots
    }
}
