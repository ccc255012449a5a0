import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// The server's database, opened without changing it.
struct DoctorDatabase: Sendable {
    /// Nil if it cannot be read.
    private(set) var database: (any SubscriptionDatabase)?
    /// The stored apps.
    private(set) var apps: [AppID] = []
    private(set) var findings: [DoctorFinding] = []

    /// Opens the database and reads its apps, its purpose and its clock.
    ///
    /// - Parameters:
    ///   - name: The address without a password.
    ///   - stores: The followed local stores.
    init(_ configuration: ServerConfiguration, name: String, stores: DoctorStores, time: any TimeSource) async {
        let address = configuration.database
        do throws(StartError) {
            if let path = try DatabaseAddress.filePath(address) {
                findings += DiskReview(path: path, fileBytesMax: configuration.databaseOptions.sqlite.fileBytesMax)
                    .findings()
            } else {
                findings.append(.skipped(.disk, name, "The disk of a database server is not checked from here."))
            }
            try DatabaseAddress.requireExisting(address)
            let database = try await DatabaseAddress.openForExport(address)
            self.database = database
            let purpose = PurposeReview(
                name: name,
                followsStores: !configuration.storeURLs.isEmpty,
                servesApple: !configuration.apps.isEmpty || !configuration.appStoreKeys.isEmpty,
                claim: stores.claim
            )
            try await read(database, purpose, time: time)
            findings.append(.ok(.database, name, "It is readable, and its tables are of this version."))
        } catch {
            findings.append(.problem(.database, error.code, name, error.message, remedy: Self.remedy(error.code)))
        }
    }

    private mutating func read(
        _ database: any SubscriptionDatabase,
        _ purpose: PurposeReview,
        time: any TimeSource
    ) async throws(StartError) {
        let before = time.now()
        let stored: (apps: [AppID], time: Timestamp?, purpose: DoctorFinding?)
        do throws(StorageError) {
            stored = try await database.read { storage throws(StorageError) in
                (try storage.apps().map(\.id), try storage.databaseTime(), try purpose.finding(storage))
            }
        } catch {
            throw StartError(error)
        }
        apps = stored.apps
        if let finding = stored.purpose { findings.append(finding) }
        guard let databaseTime = stored.time else { return }
        let comparison = ClockComparison(
            witness: purpose.name,
            time: databaseTime,
            resolutionMilliseconds: 1,
            before: before,
            after: time.now()
        )
        findings.append(comparison.finding)
    }

    private static func remedy(_ code: String) -> String {
        switch code {
        case "database_not_found": "Check the setting database.url, or start perennial serve, which makes the database."
        case StorageError.Code.schemaOutdated.rawValue: "Run perennial migrate, or restart perennial serve."
        default: "Check the setting database.url, and whether the database runs and may be read."
        }
    }
}
