import SubscriptionCore
import SubscriptionStorage

/// Compares the purpose of the database with the settings (decision 36).
struct PurposeReview: Sendable {
    private static let newDatabase = "Name another database with the setting database.url"

    /// The address of the database without a password.
    let name: String
    /// Whether the settings name local stores.
    let followsStores: Bool
    /// Whether the settings name apps or keys of the App Store.
    let servesApple: Bool
    /// What a server with these settings claims; nil if a store does not answer.
    let claim: DatabaseClaim?

    /// A finding if the database has another purpose; nil if it is right.
    ///
    /// - Throws: ``StorageError``.
    func finding(_ storage: any StorageReading) throws(StorageError) -> DoctorFinding? {
        let purpose = try storage.purpose()
        guard followsStores else { return withoutStores(purpose) }
        if let claim { return try claim.refusal(storage).map(refused) }
        guard purpose == .production else { return nil }
        return refused(.databaseOfRealApps)
    }

    private func withoutStores(_ purpose: DatabasePurpose?) -> DoctorFinding? {
        guard case .development? = purpose else { return nil }
        let code = "database_of_local_store"
        let (message, remedy) = (
            "It belongs to a local store: its purchases are invented.",
            "\(Self.newDatabase), or follow the store again with --store."
        )
        guard servesApple else { return .warning(.database, code, name, message, remedy: remedy) }
        return .problem(
            .database,
            code,
            name,
            "\(message) The settings name apps or keys of the App Store, whose purchases would be mixed with them.",
            remedy: remedy
        )
    }

    private func refused(_ error: StartError) -> DoctorFinding {
        let remedy =
            error == .databaseOfRealApps
            ? "\(Self.newDatabase), such as sqlite:development.db, or remove --store."
            : "\(Self.newDatabase), or keep the store from start to start: perennial store --data FILE."
        return .problem(.database, error.code, name, error.message, remedy: remedy)
    }
}
