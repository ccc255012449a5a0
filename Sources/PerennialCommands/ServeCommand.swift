public import ArgumentParser
import Logging
import SubscriptionServer

/// `perennial serve`: the subscription server on a port.
public struct ServeCommand: AsyncParsableCommand {
    /// How the command is named and explained.
    public static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the subscription server: takes Apple's notifications, answers what customers may use.",
        discussion: """
            The first line of standard output is the address; keys that are made at this start follow, and are shown only \
            then. With --store it follows a local App Store: its app, its root certificate (beside Apple's) and its clock. \
            Without, name your apps with --app, and make keys with \
            perennial keys create.

            Every setting can stand in a file (--config, else perennial.yaml here) or in the environment; the command line \
            goes first. perennial config defaults lists them, perennial config check says what holds.
            """
    )

    @OptionGroup var settings: SettingOptions

    @Flag(help: .hidden)
    var untilEndOfInput = false

    /// Makes the command; the parser fills it in.
    public init() {}

    /// Serves until SIGTERM or SIGINT.
    public func run() async throws {
        let effective = try settings.checked()
        let logger = Logger.standardError(label: "perennial.serve", effective.log)
        logger.notice(
            "Perennial \(ProgramVersion.current) starts",
            metadata: [
                "version": "\(ProgramVersion.current)",
                "database": "\(effective.shownDatabase)",
                "configuration_file": "\(effective.file ?? "none")",
            ]
        )
        let server = PerennialServer(configuration: effective.server, logger: logger) { listening in
            StandardOutput.printLine("listening on \(listening.url)")
            for key in listening.newKeys {
                // A result, and no part of the log, which never has a key.
                StandardOutput.printLine("key \(key)")
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
}
