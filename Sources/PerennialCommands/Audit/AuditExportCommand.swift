import ArgumentParser
import PerennialCommandSupport
import SubscriptionOperations

/// `perennial audit export`.
struct AuditExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print the audit log, one JSON object per line.",
        discussion: """
            Entries from before the chain come first, then those of the chain in its order. perennial audit verify \
            checks the file, without the database.

            Example:
              perennial audit export > audit.ndjson
              perennial audit export --bundle-id com.example.app --environment production --after 1200 >> audit.ndjson
            """
    )

    @OptionGroup var source: AuditSource

    @Option(help: ArgumentHelp("Only entries after this one of the chain, of one app.", valueName: "sequence"))
    var after: Int64?

    func validate() throws {
        guard let after else { return }
        guard after >= 0 else { throw ValidationError("--after must not be negative.") }
        guard source.bundleId != nil, source.environment != nil else {
            throw ValidationError("--after needs --bundle-id and --environment, because each app has its own chain.")
        }
    }

    func run() async throws {
        try await source.use { database, apps in
            for app in apps {
                try await AuditVerification(database: database).forEach(app, after: after) { entry in
                    StandardOutput.printLine(AuditLine.text(of: entry, app: app))
                }
            }
        }
    }
}
