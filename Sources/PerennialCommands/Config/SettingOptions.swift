import ArgumentParser
import Foundation
import Logging
import PerennialCommandSupport
import SubscriptionServer
import SubscriptionStorage

/// The options of commands that read the server's configuration.
struct SettingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with settings (default: perennial.yaml in the working directory).",
            valueName: "file"
        )
    )
    var config: String?

    @Option(help: "The port to listen on; 0 selects a free port (default: 8080).")
    var port: UInt16?

    @Option(help: "The address to listen on (default: 127.0.0.1).")
    var host: String?

    @Option(
        help: ArgumentHelp(
            "The server's database (default: sqlite:perennial.db).",
            valueName: "sqlite:path|postgres://…"
        )
    )
    var database: String?

    @Option(
        help: ArgumentHelp(
            "The address of a local App Store to follow; repeatable, for a store of each environment.",
            valueName: "url"
        )
    )
    var store: [String] = []

    @Option(
        help: ArgumentHelp(
            "An app to serve; with its Apple id in both environments, otherwise in the sandbox only; repeatable.",
            valueName: "bundle-id[:apple-id]"
        )
    )
    var app: [AppArgument] = []

    @Option(
        help: ArgumentHelp(
            """
            A file with root certificates (PEM or DER) to trust in addition to Apple's, for every app or for the \
            named one; repeatable.
            """,
            valueName: "[bundle-id:environment=]file"
        )
    )
    var root: [String] = []

    @Option(help: "The log format: json, text, or auto, which is text on a terminal, else json (default: auto).")
    var logFormat: LogSettings.Format?

    @Option(
        help: ArgumentHelp(
            "The lowest level that is logged; info logs each request (default: notice).",
            valueName: Logger.Level.allCases.map(\.rawValue).joined(separator: "|")
        ),
        transform: { text in
            guard let level = Logger.Level(rawValue: text) else { throw ValidationError("There is no such level.") }
            return level
        }
    )
    var logLevel: Logger.Level?

    /// The effective settings, and all problems.
    func effective() -> EffectiveConfiguration {
        var values: [String: SettingValue] = [:]
        values["--port"] = port.map { .integer(Int($0)) }
        values["--host"] = host.map { .text($0) }
        values["--database"] = database.map { .text($0) }
        if !store.isEmpty { values["--store"] = .list(store) }
        values["--log-format"] = logFormat.map { .text($0.rawValue) }
        values["--log-level"] = logLevel.map { .text($0.rawValue) }
        if !root.isEmpty { values["--root"] = .list(root) }
        if !app.isEmpty { values["--app"] = .list(app.map(\.text)) }
        var commandLine: [SettingKey: SettingValue] = [:]
        for key in SettingKey.all { commandLine[key] = key.option.flatMap { values[$0] } }
        return EffectiveConfiguration(
            commandLine: commandLine,
            environment: ProcessInfo.processInfo.environment,
            file: config
        )
    }

    /// The effective settings, if there are no problems.
    ///
    /// - Throws: Exit status 78, with every problem on standard error.
    func checked() throws -> EffectiveConfiguration {
        let effective = effective()
        for warning in effective.warnings { StandardError.printLine("warning: \(TerminalText.escaped(warning))") }
        guard effective.problems.isEmpty else { throw Self.report(effective.problems) }
        return effective
    }

    /// Writes every problem to standard error, and returns the error that ends the command.
    static func report(_ problems: [ConfigurationProblem]) -> any Error {
        for problem in problems.dropLast() {
            StandardError.printLine("error: \(TerminalText.escaped("\(problem)"))")
        }
        let last = problems.last.map { TerminalText.escaped("\($0)") } ?? ""
        return CommandFailure.report(last, status: .wrongConfiguration)
    }
}

/// An app on the command line: `BUNDLE_ID[:APPLE_ID]`.
struct AppArgument: ExpressibleByArgument {
    /// The original text.
    let text: String

    init?(argument: String) {
        guard AppRecord.records(named: argument) != nil else { return nil }
        text = argument
    }
}
