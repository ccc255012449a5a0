package import AppStoreSigning
import Foundation
package import SubscriptionCore
package import SubscriptionStorage

/// The purpose for which a server uses a database, and the check that it may do so (decision 36).
package struct DatabaseClaim: Sendable {
    /// The followed local store.
    package struct Store: Sendable {
        fileprivate let app: AppID
        fileprivate let root: TrustedRoot
        fileprivate let now: Timestamp

        /// Describes the store by its app, its root certificate and its clock.
        package init(app: AppID, root: TrustedRoot, now: Timestamp) {
            self.app = app
            self.root = root
            self.now = now
        }
    }

    /// How far the database may be ahead of the store: a killed store may have lost its last changes.
    private static let aheadMillisecondsMax: Int64 = 60_000

    private let stores: [Store]

    /// Makes a claim.
    ///
    /// - Parameter stores: The followed local stores; empty if real apps are served.
    package init(stores: [Store]) { self.stores = stores }

    /// Sets the purpose of a new database, and checks the purpose of an existing one.
    ///
    /// A database with data but without a purpose was created by an earlier version. It counts as a production
    /// database, because it may contain real apps.
    ///
    /// - Returns: Why the database may not be used; nil if it may.
    /// - Throws: ``StorageError``.
    package func take(_ storage: any StorageWriting) throws(StorageError) -> StartError? {
        if let refusal = try refusal(storage) { return refusal }
        let stored = try storage.purpose()
        let purpose = purpose(after: stored)
        if purpose != stored { try storage.save(purpose) }
        return nil
    }

    /// Checks the purpose of a database, and changes nothing.
    ///
    /// - Returns: Why the database may not be used; nil if it may.
    /// - Throws: ``StorageError``.
    package func refusal(_ storage: any StorageReading) throws(StorageError) -> StartError? {
        guard let now = stores.map(\.now).min() else { return nil }
        switch try storage.purpose() {
        case .production?: return .databaseOfRealApps
        case .development(let roots)?:
            // A store may be added. It must not take over the customers of an earlier store of the same app.
            let new = stores.filter { !roots.contains($0.root.fingerprint) }
            if try Self.isUsed(by: new.map(\.app), storage) || new.count == stores.count {
                return .databaseOfAnotherStore
            }
        case nil:
            let apps = try storage.apps().map(\.id)
            let isOwn = Set(apps).isSubset(of: stores.map(\.app))
            let isUsed = try Self.isUsed(by: apps, storage)
            guard isOwn, !isUsed else { return .databaseOfRealApps }
        }
        let latest = try Self.latest(in: storage, after: now)
        guard let latest, latest > now.adding(milliseconds: Self.aheadMillisecondsMax) else { return nil }
        return .databaseAheadOfStore(latest, store: now)
    }

    /// The purpose of a database that may be used.
    private func purpose(after stored: DatabasePurpose?) -> DatabasePurpose {
        guard !stores.isEmpty else { return stored ?? .production }
        let roots = Set(stores.map(\.root.fingerprint))
        guard case .development(let known)? = stored else { return .development(storeRoots: roots) }
        return .development(storeRoots: known.union(roots))
    }

    /// Whether the database contains any data.
    private static func isUsed(by apps: [AppID], _ storage: any StorageReading) throws(StorageError) -> Bool {
        let first = Timestamp(milliseconds: .min)
        for app in apps {
            if try storage.lastEvent(of: app) > 0 { return true }
            if try !storage.customers(of: app, after: nil, limit: 1).isEmpty { return true }
            if try !storage.purchases(derivedAfter: first, of: app, after: nil, limit: 1).isEmpty { return true }
        }
        return false
    }

    /// The latest time in the database, if it is later than allowed.
    private static func latest(in storage: any StorageReading, after now: Timestamp) throws(StorageError) -> Timestamp?
    {
        var times: [Timestamp] = []
        for app in try storage.apps().map(\.id) {
            let last = try storage.lastEvent(of: app)
            times += try storage.events(of: app, after: last - 1, limit: 1).map(\.recordedAt)
            let later = now.adding(milliseconds: aheadMillisecondsMax)
            if let purchase = try storage.purchases(derivedAfter: later, of: app, after: nil, limit: 1).first,
                let record = try storage.purchase(purchase, of: app)
            {
                times.append(record.evaluatedAt)
            }
        }
        return times.max()
    }
}

extension StartError {
    private static let remedy = "Name a new database with --database, such as sqlite:development.db"

    static let databaseOfRealApps = StartError(
        "database_of_real_apps",
        "Real apps use this database, so it cannot be used with a local store. \(remedy).",
        kind: .configuration
    )

    fileprivate static let databaseOfAnotherStore = StartError(
        "database_of_another_store",
        "This database belongs to another local store, or to an earlier start of this one. \(remedy), or keep "
            + "the store "
            + "from start to start: perennial store --data FILE.",
        kind: .configuration
    )

    fileprivate static func databaseAheadOfStore(_ latest: Timestamp, store now: Timestamp) -> StartError {
        StartError(
            "database_ahead_of_store",
            "This database has reached \(latest.text), but the local store is at \(now.text): it was restarted or "
                + "restored. \(remedy), or keep the store from start to start: perennial store --data FILE.",
            kind: .configuration
        )
    }
}

extension Timestamp {
    /// The time for people, in UTC.
    fileprivate var text: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
    }
}
