import Foundation
public import LocalAppStore

/// A store as saved in its file.
public struct SavedStore: Sendable {
    /// The store's keys and certificates.
    public let keys: StoreKeys

    /// Whether the store was closed properly. Otherwise, the state of what it signed for reads after its last command
    /// is unknown.
    let isClosed: Bool

    let state: CoordinatorState

    /// The extent of the file.
    let extent: StoreFileExtent

    /// Reads the content of a file.
    ///
    /// - Throws: Errors of the decoder, `StoreReader.Inconsistent`.
    init(_ reader: StoreReader, extent: StoreFileExtent) throws {
        self.extent = extent
        let coordinator = try reader.value(.coordinator, as: CoordinatorRecord.self)
        keys = try reader.value(.keys, as: StoreKeys.self)
        isClosed = coordinator.isClosed
        state = CoordinatorState(
            store: coordinator.store,
            origin: try reader.value(.origin, as: LocalAppStore.self),
            followers: coordinator.followers,
            snapshots: coordinator.snapshots,
            clientKeys: coordinator.clientKeys
        )
    }

    /// The fixed configuration of the store.
    public var configuration: LocalAppStore.Configuration { state.origin.configuration }

    /// The start time of the store, milliseconds since 1970.
    public var openedAt: Int64 { state.origin.now }

    /// The initial catalogue, byte for byte.
    public var catalogSource: [UInt8] { state.origin.catalog.source }

    /// The resumed store.
    public var store: LocalAppStore { resumed().store }

    /// The coordinator's part of the file.
    var record: CoordinatorRecord {
        CoordinatorRecord(
            isClosed: isClosed,
            store: state.store,
            followers: state.followers,
            snapshots: state.snapshots,
            clientKeys: state.clientKeys
        )
    }

    /// The state to resume from.
    func resumed() -> CoordinatorState {
        var state = state
        state.setSigner(keys.signer, receipts: keys.receipts)
        if !isClosed { state.store.resumeAfterCrash() }
        // A command may have been saved half-way by another command and may have left announcements to sign. What
        // cannot be signed stays announced, and the next command reports the reason.
        try? state.store.settle()
        return state
    }
}
