import AppStoreModel
public import ArgumentParser
import PerennialCommandSupport
import SubscriptionServer
import SubscriptionStorage

/// `perennial migrate`: updates the tables of the server's database.
public struct MigrateCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrate the tables of the server's database, or print which migration steps are done.",
        discussion: """
            perennial serve also migrates at its start, unless database.migrate is false. Several processes may \
            migrate one database at the same time: one does the work, the others wait. Steps are never undone. A \
            database of a newer version is refused.
            """
    )

    @OptionGroup var settings: SettingOptions

    @Flag(help: "Only print which steps are done; the exit status is 1 if steps are missing.")
    var status = false

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Migrates, or only checks.
    public func run() async throws {
        let configuration = try settings.checked().server
        let after: SchemaStatus
        var migrated = 0
        do {
            if status { try DatabaseAddress.requireExisting(configuration.database) }
            let before = try await DatabaseAddress.schemaStatus(configuration.database)
            if status {
                after = before
            } else {
                let output = MigrationOutput(names: before.steps.map(\.name), printsSteps: !json)
                after = try await migrate(configuration, output)
                migrated = output.finish()
            }
        } catch let error as StartError {
            let status = error.kind == .configuration ? CommandFailure.Status.wrongConfiguration : .failed
            throw CommandFailure.report("\(error)", status: status)
        } catch let error as StorageError {
            throw CommandFailure.report(error.descriptionToReport, status: .failed)
        }
        if json {
            StandardOutput.printLine(Self.json(after, migrated: migrated))
        } else if status {
            for step in after.steps {
                StandardOutput.printLine((step.isApplied ? "done before " : "missing     ") + step.name)
            }
        }
        if after.pending > 0 { throw ExitCode.failure }
    }

    private func migrate(
        _ configuration: ServerConfiguration,
        _ output: MigrationOutput
    ) async throws -> SchemaStatus {
        defer { output.clear() }
        var options = configuration.databaseOptions
        options.migrates = true
        let database = try await DatabaseAddress.open(configuration.database, options: options) { output.take($0) }
        try await database.close()
        return try await DatabaseAddress.schemaStatus(configuration.database)
    }

    private static func json(_ status: SchemaStatus, migrated: Int) -> String {
        var object = JSONObject()
        object["steps"] = .array(
            status.steps.map { step in
                var line = JSONObject()
                line["name"] = .string(step.name)
                line["done"] = .bool(step.isApplied)
                return .object(line)
            }
        )
        object["pending"] = .integer(Int64(status.pending))
        object["migrated"] = .integer(Int64(migrated))
        return String(decoding: JSONValue.object(object).serialize(), as: UTF8.self)
    }
}
