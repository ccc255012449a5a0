import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore

/// The complete state of a store, apart from its keys and its address.
struct CoordinatorState: Sendable {
    /// The current store.
    var store: LocalAppStore
    /// The store in its initial state, with no purchases.
    private(set) var origin: LocalAppStore
    var followers = FollowerRegistry()
    var snapshots = SnapshotList()
    /// The developer's keys; absent while there is only the first one.
    var clientKeys: ClientKeys?

    /// The state of a new store.
    init(opening store: LocalAppStore) {
        self.store = store
        origin = store
    }

    /// Sets the signer in every state of the store.
    mutating func setSigner(_ signer: JWSSigner, receipts: TestReceiptAuthority) {
        store.setSigner(signer, receipts: receipts)
        origin.setSigner(signer, receipts: receipts)
        snapshots.setSigner(signer, receipts: receipts)
    }

    /// An existing state.
    init(
        store: LocalAppStore,
        origin: LocalAppStore,
        followers: FollowerRegistry,
        snapshots: SnapshotList,
        clientKeys: ClientKeys?
    ) {
        self.store = store
        self.origin = origin
        self.followers = followers
        self.snapshots = snapshots
        self.clientKeys = clientKeys
    }
}
