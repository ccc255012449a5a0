import Foundation
package import LocalAppStore

extension StoreFile {
    /// Replaces the file by a store that no server runs.
    ///
    /// - Parameters:
    ///   - store: The store as it is.
    ///   - origin: The store in its initial state.
    ///   - keys: The keys of both.
    /// - Throws: `data_not_written`, errors of the encoder.
    package func save(_ store: LocalAppStore, openedAs origin: LocalAppStore, keys: StoreKeys) throws {
        let coordinator = CoordinatorRecord(
            isClosed: true,
            store: store,
            followers: FollowerRegistry(),
            snapshots: SnapshotList(),
            clientKeys: nil
        )
        var entry = try StoreRecorder().entry(with: coordinator)
        entry.add(.keys, try JSONEncoder().encode(keys))
        entry.add(.origin, try JSONEncoder().encode(origin))
        _ = try replace(with: entry)
    }
}
