public import ArgumentParser
import AsyncHTTPClient
import PerennialCommandSupport

/// `perennial demo`: a local App Store and the server together, with customers.
public struct DemoCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Start a local App Store and the server, and sell subscriptions for a year.",
        discussion: """
            Prints the addresses and keys, sells subscriptions, prints one customer of each kind with the server's \
            answer, and runs until Ctrl-C. Each month it compares every answer of the server with the store's ledger; \
            a disagreement is one difference. After the last month, two campaigns give the time of an outage back. \
            With --once it prints the result and ends: the exit status is 0 only if no notification is missing and \
            nothing differs. The data are deleted at the end, except in a database that --database names.
            """
    )

    /// The exit status by which shells report a program that SIGINT ended.
    private static let interruptedStatus: Int32 = 130

    @Flag(help: "Sell, compare, print the result and end.")
    var once = false

    @Flag(help: "Print the result as one JSON object (with --once).")
    var json = false

    @Flag(help: "Inject every fault of the store at random (with --once).")
    var faults = false

    @Option(help: "The number of customers (default: 12, with --once 100).")
    var accounts: Int?

    @Option(help: "The number of months.")
    var months = 12

    @Option(help: "The same seed gives the same customers.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "How long before the end of a period its renewal is charged, in seconds.",
            valueName: "seconds"
        )
    )
    var renewalLead = 0

    @Option(
        help: "The server's port; the store uses the next one; 0 selects free ports (default: 8080, with --once 0)."
    )
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "The server's database, which must be empty (default: a temporary SQLite file).",
            valueName: "sqlite:path|postgres://…"
        )
    )
    var database: String?

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Refuses contradictory options.
    public func validate() throws {
        if json, !once { throw ValidationError("--json requires --once.") }
        if faults, !once { throw ValidationError("--faults requires --once.") }
        if let accounts, !(1...100_000).contains(accounts) { throw ValidationError("--accounts must be 1 to 100000.") }
        if !(1...120).contains(months) { throw ValidationError("--months must be 1 to 120.") }
        if !(0...86_400).contains(renewalLead) { throw ValidationError("--renewal-lead must be 0 to 86400.") }
        if let port, !(0...65_534).contains(port) { throw ValidationError("--port must be 0 to 65534.") }
    }

    /// Runs the demo.
    public func run() async throws {
        let signals = StopSignals()
        defer { signals.stop() }
        let progress = Progress()
        let serverPort = port ?? (once ? 0 : 8080)
        let stack = try DemoStack(
            options: DemoStack.Options(
                serverPort: serverPort,
                storePort: serverPort == 0 ? 0 : serverPort + 1,
                seed: seed,
                startsAt: DemoSession.startsAt,
                database: database
            ),
            log: { progress.log($0) }
        )
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        let plan = DemoSimulation.Plan(
            accounts: accounts ?? (once ? 100 : 12),
            months: months,
            seed: seed,
            renewalLead: renewalLead,
            hasFaults: faults,
            hasExamples: !once
        )
        let session = DemoSession(stack: stack, client: client, plan: plan, progress: progress)
        let outcome = await session.run(staying: !once, signals: signals.received)
        await stack.stop()
        try await client.shutdown()
        try conclude(outcome, progress)
    }

    private func conclude(_ outcome: DemoSession.Outcome, _ progress: Progress) throws {
        switch outcome {
        case .finished(let report):
            let isShown = !once || progress.show(json ? report.jsonLine : report.text)
            if !isShown || !report.isPerfect { throw ExitCode.failure }
        case .interrupted:
            // Ctrl-C ends the demo normally, but an interrupted comparison has no result.
            if once { throw ExitCode(Self.interruptedStatus) }
        case .outputClosed:
            if once { throw ExitCode.failure }
        case .failed(let error):
            let error = error as? RunError ?? RunError(.failed, "\(error)")
            if let log = error.log { progress.log(TerminalText.escaped(log)) }
            throw CommandFailure.report("\(error)", status: .failed)
        }
    }
}
