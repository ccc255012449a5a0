import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import LocalAppStore
import LocalAppStoreServer

/// The store of the command: a new one, or a saved one.
struct StoreOpening {
    let store: LocalAppStore
    let keys: StoreKeys
    let file: StoreFile?
    let saved: SavedStore?

    /// Opens the requested store.
    ///
    /// - Throws: `StoreFileError`, `CatalogError`, `CatalogUnreadable`, ``StoreOptionConflict``.
    init(_ command: StoreCommand) throws {
        file = try command.data.map { try StoreFile(path: $0) }
        saved = try file?.load()
        if let saved {
            try StoreOptionConflict.check(command, against: saved)
            keys = saved.keys
            store = saved.store
        } else {
            let seed = command.seed ?? .random(in: 0...UInt64(Int64.max))
            keys = try Self.newKeys(seed: seed, isDeterministic: command.deterministicSignatures)
            store = try Self.newStore(command, seed: seed, keys: keys)
        }
    }

    /// The server of the store, with persistence if there is a file.
    func withPersistence(_ server: LocalAppStoreServer) -> LocalAppStoreServer {
        guard let file else { return server }
        return server.kept(in: file, keys: keys, goingOnFrom: saved)
    }

    private static func newKeys(seed: UInt64, isDeterministic: Bool) throws -> StoreKeys {
        try StoreKeys(
            authority: isDeterministic ? try TestAuthority(seed: seed) : try TestAuthority(),
            clientKey: InAppPurchaseKey.generate(),
            hasDeterministicSignatures: isDeterministic
        )
    }

    private static func newStore(_ command: StoreCommand, seed: UInt64, keys: StoreKeys) throws -> LocalAppStore {
        LocalAppStore(
            configuration: command.storeConfiguration(seed: seed),
            catalog: try command.loadCatalog(),
            signer: keys.signer,
            receipts: keys.receipts,
            now: command.now?.milliseconds ?? RealTime.milliseconds()
        )
    }
}

/// The error for an option that contradicts the file: the initial configuration of a store is permanent.
struct StoreOptionConflict: Error, CustomStringConvertible {
    let option: String
    let stored: String

    var description: String {
        "data_conflict: the store in the file was created with another \(option) (\(stored)): omit the option, "
            + "or give another file"
    }

    /// Compares the given options with the file.
    ///
    /// - Throws: ``StoreOptionConflict``, `CatalogError`, `CatalogUnreadable`.
    static func check(_ command: StoreCommand, against saved: SavedStore) throws {
        let configuration = saved.configuration
        if let seed = command.seed, seed != configuration.seed {
            throw StoreOptionConflict(option: "--seed", stored: "\(configuration.seed)")
        }
        if let environment = command.environment?.appStoreEnvironment, environment != configuration.environment {
            throw StoreOptionConflict(option: "--environment", stored: configuration.environment.rawValue)
        }
        if let profile = command.profile, profile != configuration.profile {
            throw StoreOptionConflict(option: "--profile", stored: configuration.profile?.rawValue ?? "none")
        }
        if let bundleId = command.bundleId, bundleId != configuration.bundleId {
            throw StoreOptionConflict(option: "--bundle-id", stored: configuration.bundleId)
        }
        if let appAppleId = command.appAppleId, appAppleId != configuration.appAppleId {
            throw StoreOptionConflict(option: "--app-apple-id", stored: "\(configuration.appAppleId)")
        }
        if let now = command.now, now.milliseconds != saved.openedAt {
            throw StoreOptionConflict(option: "--now", stored: "\(saved.openedAt)")
        }
        if command.catalog != nil, try command.loadCatalog().source != saved.catalogSource {
            throw StoreOptionConflict(option: "--catalog", stored: "PUT /_store/catalog changes it")
        }
        if command.deterministicSignatures, !saved.keys.hasDeterministicSignatures {
            throw StoreOptionConflict(option: "--deterministic-signatures", stored: "its signatures are random")
        }
    }
}
