import LocalAppStore

extension StoreCoordinator {
    /// Keeps the whole store as it stands between two commands.
    ///
    /// - Throws: `too_many_snapshots`, `snapshot_name_invalid`, `snapshot_exists`, `store_busy`, `store_stopping`.
    func takeSnapshot(name: String?) async throws -> StoreSnapshot {
        try await exclusively { try snapshots.take(store, name: name) }
    }

    /// Goes on from a snapshot, which stays as it is.
    ///
    /// Who is told belongs to the run and not to the history: the notification endpoint stays the present one, and so
    /// do the followers, unless the clock goes back, which no server can follow: they have to join again then.
    /// Retries that were still to come when the snapshot was taken go on.
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

    /// Forgets a snapshot.
    ///
    /// - Throws: `snapshot_not_found`.
    func removeSnapshot(_ idOrName: String) throws {
        try snapshots.remove(idOrName)
    }
}
