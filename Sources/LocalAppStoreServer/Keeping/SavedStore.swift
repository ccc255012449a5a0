import Foundation
public import LocalAppStore

/// A store as its file keeps it.
public struct SavedStore: Sendable {
    /// The store's keys and certificates.
    public let keys: StoreKeys

    /// Whether the store ended in good order; otherwise what it signed for reads after its last command is not known.
    let isClosed: Bool

    let state: DeskState

    /// How far the file reaches that holds it.
    let extent: StoreFileExtent

    /// Puts together what a file holds.
    ///
    /// - Throws: What a decoder throws, `StoreReader.Inconsistent`.
    init(_ reader: StoreReader, extent: StoreFileExtent) throws {
        self.extent = extent
        let desk = try reader.value(.desk, as: DeskRecord.self)
        keys = try reader.value(.keys, as: StoreKeys.self)
        isClosed = desk.isClosed
        state = DeskState(
            store: desk.store,
            origin: try reader.value(.origin, as: LocalAppStore.self),
            followers: desk.followers,
            snapshots: desk.snapshots
        )
    }

    /// What is fixed for the life of the store.
    public var configuration: LocalAppStore.Configuration { state.origin.configuration }

    /// The instant at which the store was opened first, milliseconds since 1970.
    public var openedAt: Int64 { state.origin.now }

    /// The catalogue that the store was opened with, byte for byte.
    public var catalogSource: [UInt8] { state.origin.catalog.source }

    /// The store as it goes on.
    public var store: LocalAppStore { resumed().store }

    /// What the file has of the desk.
    var record: DeskRecord {
        DeskRecord(isClosed: isClosed, store: state.store, followers: state.followers, snapshots: state.snapshots)
    }

    /// The state to go on from.
    func resumed() -> DeskState {
        var state = state
        state.setSigner(keys.signer, receipts: keys.receipts)
        if !isClosed { state.store.resumeAfterCrash() }
        // A command that was saved half-way, by another one that was answered meanwhile, may have left something to
        // sign. What cannot be signed stays announced, and the next command says why.
        try? state.store.settle()
        return state
    }
}
