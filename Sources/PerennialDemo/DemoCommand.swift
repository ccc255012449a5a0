public import ArgumentParser
import AsyncHTTPClient
import PerennialCommandSupport

/// `perennial demo`: a local App Store and the server together, with customers.
public struct DemoCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Start a local App Store and the server, and sell subscriptions through a year.",
        discussion: """
            Prints the addresses and keys, sells, prints one customer of each kind with the server's answer, and stays \
            until Ctrl-C. Each month the store's ledger is compared with every answer of the server; a disagreement is \
            a point in which the two differ. With --once it prints the result and ends: exit status 0 only when no \
            notification is \
            missing and nothing differs.
            """
    )

    /// The status of a shell for a program that SIGINT ended.
    private static let interruptedStatus: Int32 = 130

    @Flag(help: "Sell, compare, print the result and end.")
    var once = false

    @Flag(help: "Print the result as one JSON object (with --once).")
    var json = false

    @Flag(help: "Every fault of the store strikes now and then while customers come (with --once).")
    var faults = false

    @Option(help: "How many customers come (default: 12, with --once 100).")
    var accounts: Int?

    @Option(help: "How many months are played.")
    var months = 12

    @Option(help: "The same seed gives the same customers.")
    var seed: UInt64 = 1

    @Option(
        help: "The server's port; the store listens on the next one; 0 takes free ones. Default 8080, with --once 0."
    )
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "The server's database, which must be empty (default: a SQLite file that goes with the demo).",
            valueName: "sqlite:path|postgres://…"
        )
    )
    var database: String?

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Refuses contradictory options.
    public func validate() throws {
        if json, !once { throw ValidationError("--json goes with --once.") }
        if faults, !once { throw ValidationError("--faults goes with --once.") }
        if let accounts, !(1...100_000).contains(accounts) { throw ValidationError("--accounts is 1 to 100000.") }
        if !(1...120).contains(months) { throw ValidationError("--months is 1 to 120.") }
        if let port, !(0...65_534).contains(port) { throw ValidationError("--port is 0 to 65534.") }
    }

    /// Runs the demo.
    public func run() async throws {
        let signals = DemoSignals()
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
            say: { progress.log($0) }
        )
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        let plan = DemoPlay.Plan(
            accounts: accounts ?? (once ? 100 : 12),
            months: months,
            seed: seed,
            hasFaults: faults,
            hasCast: !once
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
        case .unread:
            if once { throw ExitCode.failure }
        case .failed(let error):
            let error = error as? RunError ?? RunError(.failed, "\(error)")
            if let log = error.log { progress.log(TerminalText.escaped(log)) }
            throw CommandFailure.report("\(error)", status: .failed)
        }
    }
}
