import AppStoreModel
public import ArgumentParser
import PerennialCommandSupport
import SubscriptionServer

/// `perennial config`: the effective configuration of the server.
public struct ConfigCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check the server's configuration, or print every setting with its default.",
        subcommands: [Check.self, Defaults.self]
    )

    /// Makes the command; the parser sets its values.
    public init() {}

    /// `perennial config check`.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the effective settings and their sources; secrets are masked.",
            discussion: """
                Takes the options of perennial serve, and reads the same file and environment. If the configuration \
                is invalid, it prints every problem, and the exit status is 78.
                """
        )

        @OptionGroup var settings: SettingOptions

        @Flag(help: "Print one JSON object.")
        var json = false

        func run() async throws {
            let effective = settings.effective()
            if json {
                StandardOutput.printLine(ConfigurationReport(effective).jsonLine)
                guard effective.problems.isEmpty else {
                    throw ExitCode(CommandFailure.Status.wrongConfiguration.rawValue)
                }
                return
            }
            for setting in effective.settings {
                StandardOutput.printLine(TerminalText.escaped("\(setting)"))
            }
            for warning in effective.warnings {
                StandardError.printLine("warning: \(TerminalText.escaped(warning))")
            }
            guard effective.problems.isEmpty else { throw SettingOptions.report(effective.problems) }
        }
    }

    /// `perennial config defaults`.
    struct Defaults: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a file for --config with every setting, its description and its default."
        )

        func run() async throws {
            let lines = EffectiveConfiguration.defaults.split(separator: "\n", omittingEmptySubsequences: false)
            for line in lines { StandardOutput.printLine(String(line)) }
        }
    }
}
