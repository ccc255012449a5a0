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
        abstract: "Bring the tables of the server's database up to date, or say how far they are.",
        discussion: """
            perennial serve does the same when it starts, unless database.migrate is false. Several processes may \
            migrate one database at once: one does it, the others wait. Nothing is ever taken back; a database of a \
            newer version is \
            refused.
            """
    )

    @OptionGroup var settings: SettingOptions

    @Flag(help: "Only say which steps were done: exit status 1 where some are missing.")
    var status = false

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Migrates, or only checks.
    public func run() async throws {
        let configuration = try settings.checked().server
        let before: SchemaStatus
        let after: SchemaStatus
        do {
            if status { try DatabaseAddress.requireExisting(configuration.database) }
            before = try await DatabaseAddress.schemaStatus(configuration.database)
            after = status ? before : try await migrated(configuration)
        } catch let error as StartError {
            let status = error.kind == .configuration ? CommandFailure.Status.wrongConfiguration : .failed
            throw CommandFailure.report("\(error)", status: status)
        } catch let error as StorageError {
            throw CommandFailure.report("\(error)", status: .failed)
        }
        if json {
            StandardOutput.printLine(Self.json(after, done: before.pending - after.pending))
        } else {
            for (earlier, step) in zip(before.steps, after.steps) {
                let word = !step.isApplied ? "missing     " : earlier.isApplied ? "done before " : "done now    "
                StandardOutput.printLine(word + step.name)
            }
        }
        if after.pending > 0 { throw ExitCode.failure }
    }

    private func migrated(_ configuration: ServerConfiguration) async throws -> SchemaStatus {
        var options = configuration.databaseOptions
        options.migrates = true
        let database = try await DatabaseAddress.open(configuration.database, options: options)
        try await database.close()
        return try await DatabaseAddress.schemaStatus(configuration.database)
    }

    private static func json(_ status: SchemaStatus, done: Int) -> String {
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
        object["migrated"] = .integer(Int64(max(0, done)))
        return String(decoding: JSONValue.object(object).serialize(), as: UTF8.self)
    }
}
