public import ArgumentParser
import PerennialCommandSupport
import SubscriptionServer

/// `perennial doctor`: checks everything that a server needs.
public struct DoctorCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check configuration, keys, clock, database, disk, roots, Apple's reachability and notifications.",
        discussion: """
            Takes the options of perennial serve, and may run beside a server. It changes nothing in the database. \
            For each app with a key, Apple is asked to send a test notification, and the command waits until the \
            server has stored it. Each line says what is wrong and what to do.

            The exit status is 0 without a problem, even with warnings, 1 with a problem, and 78 if the \
            configuration is invalid.
            """
    )

    @Flag(name: .customLong("no-test-notification"), help: "Do not request a test notification.")
    var skipsTestNotification = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var settings: SettingOptions

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Runs all checks and prints the findings.
    public func run() async throws {
        let effective = settings.effective()
        var findings = ConfigurationReview(effective).findings
        let isValid = effective.problems.isEmpty
        if isValid {
            let doctor = Doctor(
                effective.server,
                databaseName: effective.shownDatabase,
                sendsTestNotification: !skipsTestNotification
            )
            findings += try await doctor.run()
        }
        let report = DoctorReport(findings)
        for line in json ? [report.jsonLine] : report.lines { StandardOutput.printLine(line) }
        guard isValid else { throw ExitCode(CommandFailure.Status.wrongConfiguration.rawValue) }
        if findings.worst == .problem { throw ExitCode.failure }
    }
}
