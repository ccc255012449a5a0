public import ArgumentParser
import Logging
import PerennialCommandSupport
import SubscriptionServer

/// `perennial serve`: the subscription server on a port.
public struct ServeCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the subscription server: receive Apple's notifications, answer which customers have access.",
        discussion: """
            The first line of standard output is the address. Keys that are created at this start follow; they are \
            printed only once. With --store, the server follows a local App Store: its app, its root certificate (in \
            addition to Apple's) and its clock. Without --store, name your apps with --app, and create keys with \
            perennial keys create.

            A setting on the command line overrides the environment, and the environment overrides the file: \
            --config, or perennial.yaml in the working directory. perennial config defaults prints all settings, \
            perennial config check the effective ones.
            """
    )

    @OptionGroup var settings: SettingOptions

    @Flag(help: .hidden)
    var untilEndOfInput = false

    /// Makes the command; the parser sets its values.
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
        warnAboutOpenFiles(connections: effective.server.limits.connectionsMax, logger)
        let server = PerennialServer(configuration: effective.server, logger: logger) { listening in
            StandardOutput.printLine("listening on \(listening.url)")
            for key in listening.newKeys {
                // Printed as a result and not logged, because the log never contains a key.
                StandardOutput.printLine("key \(key)")
            }
        }
        do {
            try await ProgramService.run(server, untilEndOfInput: untilEndOfInput, logger: logger)
        } catch let error as StartError {
            let status: CommandFailure.Status = error.kind == .configuration ? .wrongConfiguration : .failed
            guard effective.log.isJSON else { throw CommandFailure.report("\(error)", status: status) }
            var metadata: Logger.Metadata = ["code": "\(error.code)"]
            if let detail = error.detail { metadata["detail"] = "\(detail)" }
            logger.error("\(error.message)", metadata: metadata)
            throw ExitCode(status.rawValue)
        }
    }

    /// A server without a free file descriptor accepts no connections and logs nothing, so it warns at its start.
    private func warnAboutOpenFiles(connections: Int, _ logger: Logger) {
        let files = OpenFiles.raiseLimit()
        guard files < connections + OpenFiles.reserved else { return }
        logger.warning(
            """
            The limit of open files is too low for limits.connections. Raise it (ulimit -n, LimitNOFILE), or lower \
            limits.connections
            """,
            metadata: ["open_files": "\(files)", "limits.connections": "\(connections)"]
        )
    }
}
