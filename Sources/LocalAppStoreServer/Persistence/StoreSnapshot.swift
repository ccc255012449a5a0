import AppStoreSigning
import AppStoreTestAuthorities
import HTTPTypes
import LocalAppStore

/// A copy of the whole store between two commands.
struct StoreSnapshot: Sendable, Codable {
    /// The identifier of the snapshot.
    let id: String
    /// The user's name for it; the identifier if none was given.
    let name: String
    /// A copy; the parts shared with the running store take no extra memory.
    fileprivate(set) var store: LocalAppStore
}

/// The snapshots of a store, oldest first.
struct SnapshotList: Sendable, Codable {
    /// The maximum number of snapshots of one store.
    static let countMax = 64
    /// The maximum length of a name in bytes.
    static let nameBytesMax = 128

    private(set) var snapshots: [StoreSnapshot] = []
    private var takenCount = 0

    /// Saves a copy of a store.
    ///
    /// - Throws: `too_many_snapshots`, `snapshot_name_invalid`, `snapshot_exists`.
    mutating func take(_ store: LocalAppStore, name: String?) throws(StoreCallError) -> StoreSnapshot {
        guard snapshots.count < Self.countMax else {
            throw StoreCallError(
                .conflict,
                code: "too_many_snapshots",
                message: "this store keeps \(Self.countMax) snapshots already: remove one with DELETE"
            )
        }
        if let name { try check(name) }
        repeat { takenCount += 1 } while position(of: "snapshot-\(takenCount)") != nil
        let id = "snapshot-\(takenCount)"
        let snapshot = StoreSnapshot(id: id, name: name ?? id, store: store)
        snapshots.append(snapshot)
        return snapshot
    }

    /// The snapshot with an identifier or a name.
    ///
    /// - Throws: `snapshot_not_found`.
    func snapshot(_ idOrName: String) throws(StoreCallError) -> StoreSnapshot {
        snapshots[try requiredIndex(of: idOrName)]
    }

    /// Deletes a snapshot.
    ///
    /// - Throws: `snapshot_not_found`.
    mutating func remove(_ idOrName: String) throws(StoreCallError) {
        snapshots.remove(at: try requiredIndex(of: idOrName))
    }

    mutating func setSigner(_ signer: JWSSigner, receipts: TestReceiptAuthority) {
        for position in snapshots.indices { snapshots[position].store.setSigner(signer, receipts: receipts) }
    }

    private func position(of idOrName: String) -> Int? {
        snapshots.firstIndex { $0.id == idOrName || $0.name == idOrName }
    }

    private func requiredIndex(of idOrName: String) throws(StoreCallError) -> Int {
        guard let position = position(of: idOrName) else {
            throw StoreCallError(
                .notFound,
                code: "snapshot_not_found",
                message: "no snapshot has this identifier or name: GET /_store/snapshots lists them"
            )
        }
        return position
    }

    private func check(_ name: String) throws(StoreCallError) {
        let isPlain = name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
        guard isPlain, (1...Self.nameBytesMax).contains(name.utf8.count) else {
            throw .unprocessable(
                "snapshot_name_invalid",
                "name must be 1 to \(Self.nameBytesMax) visible ASCII characters without \"/\"",
                path: "name"
            )
        }
        guard position(of: name) == nil else {
            throw StoreCallError(
                .conflict,
                code: "snapshot_exists",
                message: "a snapshot has this name already: choose another name, or remove that one with DELETE",
                path: "name"
            )
        }
    }
}
