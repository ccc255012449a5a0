import AppStoreModel
import ArgumentParser
import PerennialCommandSupport
import SubscriptionCore

/// `perennial notifications recover`: has a server compare a time span with Apple's notification history.
struct RecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Compare a time span with Apple's history, and store what the server did not receive.",
        discussion: """
            Asks a running server, and waits for its report. Apple's history goes back 180 days in production, 30 in \
            sandbox. The secret key comes from --key-file, then from PERENNIAL_API_SECRET_KEY, then from \
            PERENNIAL_DEV_SECRET_KEY. The exit status is 0 if nothing is missing, and 1 otherwise. The command stops \
            waiting if the server's clock stands still, or if the comparison makes no progress for a long time.

            Example:
              perennial notifications recover --from 2026-11-20T00:00:00Z
              perennial notifications recover --from 2026-11-20T00:00:00Z --to 2026-11-22T00:00:00Z --json
            """
    )

    /// The time between two looks at the window.
    private static let pause = Duration.milliseconds(500)

    @Option(help: ArgumentHelp("The start, in ISO 8601 or milliseconds since 1970.", valueName: "time"))
    var from: String

    @Option(help: ArgumentHelp("The end; now by default.", valueName: "time"))
    var to: String?

    @Flag(help: "Compare only notifications that Apple could not deliver.")
    var onlyFailures = false

    @Flag(help: "Do not wait for the report.")
    var noWait = false

    @Flag(help: "Print the window as the server returns it.")
    var json = false

    @OptionGroup var connection: ServerOptions

    func validate() throws {
        _ = try Self.time(from, "--from")
        if let to { _ = try Self.time(to, "--to") }
    }

    func run() async throws {
        var request = JSONObject()
        request["from"] = .integer(try Self.time(from, "--from"))
        // The server takes a later time as now, by its own clock.
        request["to"] = .integer(try to.map { try Self.time($0, "--to") } ?? Self.endOfTime)
        request["only_failures"] = .bool(onlyFailures)
        try await connection.withCalls { [request] server in
            var window = try await server.post("/v1/recovery/windows", request)
            let id = window["id"]?.stringValue ?? ""
            let path = "/v1/recovery/windows/\(ServerCalls.encoded(id))"
            var shownProblem: String?
            var wait = WindowWait()
            var reason: WindowWait.Reason?
            let start = ContinuousClock.now
            while !noWait, window["state"] == .string("running") {
                reason = wait.look(at: window, after: ContinuousClock.now - start)
                if let found = reason, found.isConfirmed(atServerTime: try await Self.serverTime(server)) { break }
                reason = nil
                try await Task.sleep(for: Self.pause)
                window = try await server.get(path)
                let problem = window["error"]?.objectValue?["message"]?.stringValue
                if let problem, problem != shownProblem {
                    StandardError.printLine("The query will be repeated: \(TerminalText.escaped(problem))")
                }
                shownProblem = problem
            }
            print(window)
            if let reason { throw CommandFailure.report(TerminalText.escaped(reason.text(id)), status: .failed) }
            let isComplete = window["state"] == .string("finished") && window["missing"] == .integer(0)
            guard noWait || isComplete else { throw ExitCode.failure }
        }
    }

    private func print(_ window: JSONObject) {
        if json {
            StandardOutput.printLine(String(decoding: window.serialize(), as: UTF8.self))
            return
        }
        for name in ["id", "state", "sent", "held", "recovered", "retrying", "refused", "missing"] {
            guard let value = window[name] else { continue }
            let text = value.stringValue ?? String(decoding: value.serialize(), as: UTF8.self)
            StandardOutput.printLine("\(name): \(TerminalText.escaped(text))")
        }
        for problem in window["problems"]?.objectValue?.members ?? [] {
            let count = String(decoding: problem.value.serialize(), as: UTF8.self)
            StandardOutput.printLine("  \(TerminalText.escaped(problem.key)): \(count)")
        }
        if let error = window["error"]?.objectValue {
            let text = "\(error["code"]?.stringValue ?? ""): \(error["message"]?.stringValue ?? "")"
            StandardOutput.printLine("error: \(TerminalText.escaped(text))")
        }
    }

    /// What the server's clock says, in milliseconds since 1970.
    private static func serverTime(_ server: ServerCalls) async throws -> Int64? {
        guard case .integer(let time)? = try await server.get("/v1/apple/notification_versions")["evaluated_at"] else {
            return nil
        }
        return time
    }

    /// The last time of the year 9999.
    private static let endOfTime: Int64 = 253_402_300_799_000

    private static func time(_ text: String, _ option: String) throws -> Int64 {
        if let milliseconds = Int64(text) { return milliseconds }
        guard let time = Timestamp(text: text) else {
            throw ValidationError(
                "\(option) must be a time such as 2026-11-20T00:00:00Z, or milliseconds since 1970; not \"\(text)\"."
            )
        }
        return time.milliseconds
    }
}
