public import ArgumentParser
import Foundation
import Logging
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage

/// `perennial serve`: the subscription server on a port.
public struct ServeCommand: AsyncParsableCommand {
    /// How the command is named and explained.
    public static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the subscription server: takes Apple's notifications, answers what customers may use.",
        discussion: """
            The first line of standard output is the address. With --store it follows a local App Store: its app, its \
            root certificate (beside Apple's) and its clock. Without, name your apps with --app, and make keys with \
            perennial keys create.
            """
    )

    @Option(help: "The port to listen on; 0 picks a free one.")
    var port: UInt16 = 8080

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("Where everything is kept.", valueName: "sqlite:path|postgres://…"))
    var database = "sqlite:perennial.db"

    @Option(help: ArgumentHelp("A local App Store to follow, as perennial store prints it.", valueName: "url"))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "An app to take notifications for; with its Apple id in both environments, without only in sandbox.",
            valueName: "bundle-id[:apple-id]"
        )
    )
    var app: [AppArgument] = []

    @Flag(help: .hidden)
    var untilEndOfInput = false

    /// Makes the command; the parser fills it in.
    public init() {}

    /// Serves until SIGTERM or SIGINT.
    public func run() async throws {
        let logger = Logger.standardError(label: "perennial.serve", level: .notice)
        let server = PerennialServer(configuration: serverConfiguration, logger: logger) { listening in
            StandardOutput.printLine("listening on \(listening.url)")
            for key in listening.newKeys {
                logger.notice("made a key; it is shown only now", metadata: ["key": "\(key)"])
            }
        }
        do {
            try await ProgramService.run(server, untilEndOfInput: untilEndOfInput, logger: logger)
        } catch let error as StartError {
            throw CommandFailure.report(
                "\(error)",
                status: error.kind == .configuration ? .wrongConfiguration : .failed
            )
        }
    }

    private var serverConfiguration: ServerConfiguration {
        ServerConfiguration(
            host: host,
            port: Int(port),
            database: database,
            apps: app.flatMap(\.records),
            storeURL: store,
            developmentSecretKey: store.flatMap { _ in
                ProcessInfo.processInfo.environment["PERENNIAL_DEV_SECRET_KEY"]
            }
        )
    }
}

/// An app on the command line: `BUNDLE_ID[:APPLE_ID]`.
struct AppArgument: ExpressibleByArgument {
    /// The app in each environment that it is configured for.
    let records: [AppRecord]

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bundleID = parts.first.map(String.init), !bundleID.isEmpty else { return nil }
        let sandbox = AppRecord(bundleID: bundleID, environment: .sandbox, appleID: nil)
        guard parts.count == 2 else {
            records = [sandbox]
            return
        }
        guard let appleID = Int64(parts[1]), appleID > 0 else { return nil }
        records = [AppRecord(bundleID: bundleID, environment: .production, appleID: appleID), sandbox]
    }
}
