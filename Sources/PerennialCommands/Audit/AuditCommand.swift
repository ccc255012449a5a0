public import ArgumentParser
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// `perennial audit`: the audit log of a database.
public struct AuditCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Export the audit log, and check that none of its entries was changed or removed.",
        subcommands: [AuditVerifyCommand.self, AuditExportCommand.self]
    )

    /// Makes the command; the parser sets its values.
    public init() {}
}

/// The database and the apps of a command.
struct AuditSource: ParsableArguments {
    @Option(
        help: ArgumentHelp("The database (default: as perennial serve).", valueName: "sqlite:path|postgres://…")
    )
    var database: String?

    @Option(help: ArgumentHelp("A file with settings (default: perennial.yaml).", valueName: "file"))
    var config: String?

    @Option(help: "Only the app with this bundle identifier.")
    var bundleId: String?

    @Option(help: "Only this environment: sandbox or production.")
    var environment: StoreEnvironment?

    func validate() throws {
        guard environment == nil || bundleId != nil else { throw ValidationError("--environment needs --bundle-id.") }
    }

    /// Runs a body with the database and the apps.
    func use<Value>(_ body: (any SubscriptionDatabase, [AppID]) async throws -> Value) async throws -> Value {
        let address = try CopyCommands.address(database, config: config)
        return try await CopyCommands.reported {
            let opened = try await DatabaseAddress.openForExport(address)
            return try await CopyCommands.closing(opened) { () async throws -> Value in
                let all = try await opened.read { storage throws(StorageError) in try storage.apps().map(\.id) }
                let apps = all.filter { app in
                    (bundleId ?? app.bundleID) == app.bundleID && (environment ?? app.environment) == app.environment
                }
                guard !apps.isEmpty else {
                    throw CommandFailure.report(
                        "app_not_configured: the database has no such app: check --bundle-id and --environment",
                        status: .wrongConfiguration
                    )
                }
                return try await body(opened, apps)
            }
        }
    }
}
