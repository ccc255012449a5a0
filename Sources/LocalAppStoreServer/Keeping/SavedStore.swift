public import LocalAppStore

/// A store as its file keeps it.
public struct SavedStore: Sendable, Codable {
    /// The store's keys and certificates.
    public let keys: StoreKeys

    /// Whether the store ended in good order; otherwise what it signed for reads after its last command is not known.
    let isClosed: Bool

    let state: DeskState

    /// What is fixed for the life of the store.
    public var configuration: LocalAppStore.Configuration { state.origin.configuration }

    /// The instant at which the store was opened first, milliseconds since 1970.
    public var openedAt: Int64 { state.origin.now }

    /// The catalogue that the store was opened with, byte for byte.
    public var catalogSource: [UInt8] { state.origin.catalog.source }

    /// The store as it goes on.
    public var store: LocalAppStore { resumed().store }

    /// The state to go on from.
    func resumed() -> DeskState {
        var state = state
        state.setSigner(keys.signer, receipts: keys.receipts)
        if !isClosed { state.store.resumeAfterCrash() }
        return state
    }
}
