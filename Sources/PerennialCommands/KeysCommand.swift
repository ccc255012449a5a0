public import ArgumentParser
import Foundation
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// `perennial keys`: the keys of the server's own API.
public struct KeysCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract:
            "Create, list and revoke the keys of the server's API, and rotate the key that signs entitlement tokens.",
        subcommands: [Create.self, List.self, Revoke.self, Rotate.self]
    )

    /// Makes the command; the parser sets its values.
    public init() {}

    /// The common options of the subcommands for an app's keys.
    struct Target: ParsableArguments {
        @Option(help: ArgumentHelp("The server's database.", valueName: "sqlite:path|postgres://…"))
        var database = "sqlite:perennial.db"

        @Option(help: "The app's bundle identifier.")
        var bundleId: String

        @Option(help: "sandbox or production.")
        var environment: StoreEnvironment = .sandbox

        var appID: AppID { AppID(bundleID: bundleId, environment: environment) }

        /// Runs a body with the database, which must exist, and reports errors as commands do.
        ///
        /// - Parameter body: Returns the output; `nil` if the database does not know the app.
        func printLines(
            _ body: (any SubscriptionDatabase) async throws(StorageError) -> [String]?
        ) async throws {
            let lines: [String]?
            do {
                let database = try await DatabaseAddress.openExisting(database)
                lines = try await body(database)
                try await database.close()
            } catch let error as StartError {
                throw CommandFailure.report(
                    "\(error)",
                    status: error.kind == .configuration ? .wrongConfiguration : .failed
                )
            } catch let error as StorageError {
                throw CommandFailure.report("\(error)", status: .failed)
            }
            guard let lines else {
                throw CommandFailure.report(
                    "app_not_configured: \(appID) is not in this database: check --bundle-id and --environment, "
                        + "or start perennial serve with --app first",
                    status: .wrongConfiguration
                )
            }
            for line in lines { StandardOutput.printLine(line) }
        }
    }

    /// `perennial keys create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a key and print it. It is shown only once, because only its digest is stored."
        )

        @OptionGroup var target: Target

        @Option(help: "sk (servers) or pk (apps).")
        var kind: APIKeyRecord.Kind = .secret

        @Option(help: "The purpose of the key, 1 to 60 characters; keys list prints it.")
        var label: String?

        func validate() throws {
            guard let label else { return }
            guard (1...60).contains(label.count), label.allSatisfy({ !$0.isNewline && $0 != "\0" }) else {
                throw ValidationError("--label must be one line of 1 to 60 characters.")
            }
        }

        func run() async throws {
            let app = target.appID
            let key = KeyIssuing.makeKey(kind)
            guard
                let record = KeyIssuing.record(
                    of: key,
                    app: app,
                    createdAt: SystemTimeSource().now(),
                    label: label
                )
            else {
                throw CommandFailure.report("key_malformed: the new key has an invalid form", status: .failed)
            }
            try await target.printLines { database throws(StorageError) in
                try await database.write { storage throws(StorageError) in
                    guard try storage.apps().contains(where: { $0.id == app }) else { return nil }
                    try storage.insert(record)
                    try storage.audit(
                        .keyCreated,
                        .key(record.shownText),
                        by: Operator("perennial keys create"),
                        app: app,
                        at: record.createdAt,
                        after: AuditedValue(record)
                    )
                    return [key]
                }
            }
        }
    }

    /// `perennial keys list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List an app's keys, oldest first, with their last characters, kinds, dates and labels."
        )

        @OptionGroup var target: Target

        func run() async throws {
            let app = target.appID
            try await target.printLines { database throws(StorageError) in
                try await database.read { storage throws(StorageError) in
                    guard try storage.apps().contains(where: { $0.id == app }) else { return nil }
                    return KeyTable(try storage.apiKeys(of: app).map(KeyTable.Row.init)).lines
                }
            }
        }
    }
}

extension KeyTable.Row {
    fileprivate init(_ record: APIKeyRecord) {
        self.init(
            key: record.shownText,
            kind: record.kind == .secret ? "secret" : "publishable",
            createdAt: record.createdAt.milliseconds,
            label: record.label
        )
    }
}

extension StoreEnvironment: ExpressibleByArgument {}
extension APIKeyRecord.Kind: ExpressibleByArgument {}
