package import AppStoreSigning
import Foundation
package import SubscriptionCore
package import SubscriptionStorage

/// What a database is for, and whether a server that follows a local store, or follows none, may use it (decision 36).
package struct DatabaseClaim: Sendable {
    /// A local store that is followed.
    package struct Store: Sendable {
        fileprivate let app: AppID
        fileprivate let root: TrustedRoot
        fileprivate let now: Timestamp

        /// Names the store by its app, its root certificate and its clock.
        package init(app: AppID, root: TrustedRoot, now: Timestamp) {
            self.app = app
            self.root = root
            self.now = now
        }
    }

    /// A database may be so much later than the store: a store that was killed may have lost its last moments.
    private static let aheadMillisecondsMax: Int64 = 60_000

    private let store: Store?

    /// Makes a claim.
    ///
    /// - Parameter store: The local store that is followed; nil where real apps are served.
    package init(store: Store?) { self.store = store }

    /// Marks a database that has no purpose yet, and checks the purpose of one that has.
    ///
    /// One without a purpose that holds customers, purchases or events was made by an earlier version: it is a
    /// production database, since nothing in it says that real apps do not use it.
    ///
    /// - Returns: Why the database may not be used; nil where it may.
    /// - Throws: ``StorageError``.
    package func take(_ storage: any StorageWriting) throws(StorageError) -> StartError? {
        guard let store else {
            if try storage.purpose() == nil { try storage.save(.production) }
            return nil
        }
        switch try storage.purpose() {
        case .production?: return .databaseOfRealApps
        case .development(let root)?: if root != store.root.fingerprint { return .databaseOfAnotherStore }
        case nil:
            let apps = try storage.apps().map(\.id)
            let isOwn = apps.allSatisfy { $0 == store.app }
            let isUsed = try Self.isUsed(by: apps, storage)
            guard isOwn, !isUsed else {
                return .databaseOfRealApps
            }
            try storage.save(.development(storeRoot: store.root.fingerprint))
        }
        let latest = try Self.latest(in: storage, after: store.now)
        guard let latest, latest > store.now.adding(milliseconds: Self.aheadMillisecondsMax) else { return nil }
        return .databaseAheadOfStore(latest, store: store.now)
    }

    /// Whether anything was ever taken in.
    private static func isUsed(by apps: [AppID], _ storage: any StorageReading) throws(StorageError) -> Bool {
        let first = Timestamp(milliseconds: .min)
        for app in apps {
            if try storage.lastEvent(of: app) > 0 { return true }
            if try !storage.customers(of: app, after: nil, limit: 1).isEmpty { return true }
            if try !storage.purchases(derivedAfter: first, of: app, after: nil, limit: 1).isEmpty { return true }
        }
        return false
    }

    /// The latest instant that the database has reached, as far as it matters.
    private static func latest(in storage: any StorageReading, after now: Timestamp) throws(StorageError) -> Timestamp?
    {
        var instants: [Timestamp] = []
        for app in try storage.apps().map(\.id) {
            let last = try storage.lastEvent(of: app)
            instants += try storage.events(of: app, after: last - 1, limit: 1).map(\.recordedAt)
            let later = now.adding(milliseconds: aheadMillisecondsMax)
            if let purchase = try storage.purchases(derivedAfter: later, of: app, after: nil, limit: 1).first,
                let record = try storage.purchase(purchase, of: app)
            {
                instants.append(record.evaluatedAt)
            }
        }
        return instants.max()
    }
}

extension StartError {
    private static let remedy = "Name a new database with --database, such as sqlite:development.db"

    fileprivate static let databaseOfRealApps = StartError(
        "database_of_real_apps",
        "Real apps use this database, so a local store may not be followed with it. \(remedy).",
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
            "This database has reached \(latest.text), but the local store is at \(now.text): it was started anew or "
                + "restored. \(remedy), or keep the store from start to start: perennial store --data FILE.",
            kind: .configuration
        )
    }
}

extension Timestamp {
    /// The instant for people, in UTC.
    fileprivate var text: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
    }
}
