public import ArgumentParser
import Foundation
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// `perennial keys`: the keys of the server's own API.
public struct KeysCommand: AsyncParsableCommand {
    /// How the command is named and explained.
    public static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make and list the keys of the server's API.",
        subcommands: [Create.self, List.self]
    )

    /// Makes the command; the parser fills it in.
    public init() {}

    /// What both subcommands need.
    struct Target: ParsableArguments {
        @Option(help: ArgumentHelp("Where the server keeps everything.", valueName: "sqlite:path"))
        var database = "sqlite:perennial.db"

        @Option(help: "The app's bundle identifier.")
        var bundleId: String

        @Option(help: "sandbox or production.")
        var environment: StoreEnvironment = .sandbox

        var appID: AppID { AppID(bundleID: bundleId, environment: environment) }

        /// Runs a body on the database, and reports what goes wrong as commands do.
        func withDatabase(
            _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> [String]
        ) async throws -> [String] {
            do {
                let database = try await DatabaseAddress.open(database)
                let lines = try await database.write(body)
                try await database.close()
                return lines
            } catch let error as StartError {
                throw CommandFailure.report(
                    "\(error)",
                    status: error.kind == .configuration ? .wrongConfiguration : .failed
                )
            } catch let error as StorageError {
                throw CommandFailure.report("\(error)", status: .failed)
            }
        }
    }

    /// `perennial keys create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a key and print it: it is shown only now, since only its digest is stored."
        )

        @OptionGroup var target: Target

        @Option(help: "sk (servers) or pk (apps).")
        var kind: APIKeyRecord.Kind = .secret

        func run() async throws {
            let app = target.appID
            let key = KeyIssuing.makeKey(kind)
            guard let record = KeyIssuing.record(of: key, app: app, createdAt: SystemTimeSource().now()) else {
                throw CommandFailure.report("key_malformed: the key just made has no key's form", status: .failed)
            }
            let lines = try await target.withDatabase { storage throws(StorageError) in
                guard try storage.apps().contains(where: { $0.id == app }) else { return [] }
                try storage.insert(record)
                return [key]
            }
            guard !lines.isEmpty else {
                throw CommandFailure.report(
                    "app_not_configured: \(app) is not in this database: start perennial serve with --app first",
                    status: .wrongConfiguration
                )
            }
            lines.forEach(StandardOutput.printLine)
        }
    }

    /// `perennial keys list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List an app's keys by their last characters.")

        @OptionGroup var target: Target

        func run() async throws {
            let app = target.appID
            let lines = try await target.withDatabase { storage throws(StorageError) in
                try storage.apiKeys(of: app).map { "\($0.kind.rawValue)_…\($0.hint)\t\($0.createdAt.milliseconds)" }
            }
            lines.forEach(StandardOutput.printLine)
        }
    }
}

extension StoreEnvironment: ExpressibleByArgument {}
extension APIKeyRecord.Kind: ExpressibleByArgument {}
