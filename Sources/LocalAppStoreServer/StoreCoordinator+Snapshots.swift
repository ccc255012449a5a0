import LocalAppStore

extension StoreCoordinator {
    /// Saves a copy of the whole store between two commands.
    ///
    /// - Throws: `too_many_snapshots`, `snapshot_name_invalid`, `snapshot_exists`, `store_busy`, `store_stopping`.
    func takeSnapshot(name: String?) async throws -> StoreSnapshot {
        try await exclusively { try snapshots.take(store, name: name) }
    }

    /// Continues from a snapshot, which stays unchanged.
    ///
    /// The notification endpoint stays the current one, because it belongs to the run and not to the history. The
    /// followers stay too, unless the clock goes back: then they must register again. Retries that were pending in the
    /// snapshot continue.
    ///
    /// - Returns: The snapshot, and the settle URLs of followers that were dropped.
    /// - Throws: `snapshot_not_found`, `store_busy`, `store_stopping`.
    func restoreSnapshot(_ idOrName: String) async throws -> (snapshot: StoreSnapshot, lost: [String]) {
        try await exclusively {
            let snapshot = try snapshots.snapshot(idOrName)
            var lost: [String] = []
            if snapshot.store.now < store.now {
                lost = followers.followers.map(\.settleURL)
                followers.removeAll()
            }
            goOn(from: snapshot.store)
            var tally = AdvanceReport()
            try await catchUp(&tally)
            return (snapshot, lost + tally.lost)
        }
    }

    /// Deletes a snapshot.
    ///
    /// - Throws: `snapshot_not_found`.
    func removeSnapshot(_ idOrName: String) throws {
        try snapshots.remove(idOrName)
    }
}
