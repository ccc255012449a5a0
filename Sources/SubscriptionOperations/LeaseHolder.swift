import SubscriptionCore
import SubscriptionStorage

/// A server's hold on one kind of an app's work, among all servers of the database.
struct LeaseHolder: Sendable {
    /// The kind of work.
    let work: String
    /// The app.
    let app: AppID
    /// This server, by a random name.
    let name: String
    /// Real time: a lease must expire even if a followed clock stands still.
    let time: any TimeSource
    /// How long the lease is valid.
    let milliseconds: Int64

    /// Takes the work over if no other server has it.
    ///
    /// - Returns: Whether this server has it.
    /// - Throws: ``StorageError``.
    func take(in storage: any StorageWriting) throws(StorageError) -> Bool {
        try storage.takeLease(of: work, for: name, at: time.now(), milliseconds: milliseconds, app: app)
    }

    /// Renews the lease, or returns it.
    ///
    /// - Returns: False if another server has taken it over; then nothing may be stored.
    /// - Throws: ``StorageError``.
    func renew(in storage: any StorageWriting, ends: Bool) throws(StorageError) -> Bool {
        guard try storage.lease(of: work, app: app)?.holder == name else { return false }
        if ends { try storage.returnLease(of: work, by: name, app: app) } else { _ = try take(in: storage) }
        return true
    }

    /// Returns the lease, also if the caller was cancelled. If the database fails, it expires by itself.
    func end(in database: any SubscriptionDatabase) async {
        let returning = Task {
            _ = try? await database.write { storage throws(StorageError) in try renew(in: storage, ends: true) }
        }
        await returning.value
    }
}
