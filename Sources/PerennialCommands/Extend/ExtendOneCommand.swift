import AppStoreModel
import ArgumentParser
import Foundation
import PerennialCommandSupport

/// `perennial extend one`: has a server extend the period of one subscription.
struct ExtendOneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "one",
        abstract: "Lengthen the paid period of one subscription by 1 to 90 days.",
        discussion: """
            Asks a running server, which asks Apple. Apple sends the customer an e-mail, and an extension cannot be \
            taken back. The secret key comes from --key-file, then from PERENNIAL_API_SECRET_KEY, then from \
            PERENNIAL_DEV_SECRET_KEY. Times are in the time zone of this machine. The exit status is 0 if the period \
            was extended (with --dry-run: if it can be), and 1 otherwise.

            Example:
              perennial extend one 2000000123456789 --dry-run
              perennial extend one 2000000123456789 --days 7 --reason outage
              perennial extend one 2000000123456789 --days 7 --reason outage --idempotency-key ticket-4711
            """
    )

    /// The server may wait for Apple.
    private static let deadline = Duration.seconds(120)

    @Argument(help: ArgumentHelp("The subscription, or any of its transactions.", valueName: "subscription-id"))
    var id: String

    @Option(help: ArgumentHelp("The number of days, 1 to 90.", valueName: "n"))
    var days: Int?

    @Option(
        help: ArgumentHelp(
            "What the server sends Apple: outage, satisfaction, other or undeclared.",
            valueName: "reason"
        )
    )
    var reason: String?

    @Option(
        help: ArgumentHelp(
            "A name of this extension. The server extends once for each name; without one, the command makes it.",
            valueName: "key"
        )
    )
    var idempotencyKey: String?

    @Flag(help: "Only show whether the subscription can be extended, and the extensions so far. Apple is not asked.")
    var dryRun = false

    @Flag(help: "Print the extension, or with --dry-run the list, as the server returns it.")
    var json = false

    @OptionGroup var connection: ServerOptions

    func validate() throws {
        guard !id.isEmpty else { throw ValidationError("Give the id of the subscription, or of a transaction.") }
        guard dryRun || days != nil && reason != nil else {
            throw ValidationError("Give --days and --reason, or --dry-run to see whether it can be extended.")
        }
        if let days { try ExtendCommand.check(days: days) }
        let isUsable = idempotencyKey.map { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } } ?? true
        guard isUsable else {
            throw ValidationError("--idempotency-key must be printable ASCII without spaces, at least one character.")
        }
    }

    func run() async throws {
        let path = "/v1/subscriptions/\(ServerCalls.encoded(id))/extensions"
        try await connection.withCalls { server in
            if dryRun { try await show(path, server) } else { try await extend(path, server) }
        }
    }

    private func show(_ path: String, _ server: ServerCalls) async throws {
        let list = try await server.get(path)
        let report = ExtensionReport(list)
        if json {
            print(list)
        } else {
            let obstacles = report.obstacles.map { "  \($0)" }
            let extensions = report.extensionLines(LocalTimes(zone: .current))
            print(["\(id) \(report.isEligible ? "can" : "cannot") be extended"] + obstacles + extensions)
        }
        guard report.isEligible else { throw ExitCode.failure }
    }

    private func extend(_ path: String, _ server: ServerCalls) async throws {
        let key = idempotencyKey ?? UUID().uuidString.lowercased()
        var request = JSONObject()
        request["extend_by_days"] = days.map { .integer(Int64($0)) }
        request["reason"] = reason.map { .string($0) }
        let row: JSONObject
        do throws(ServerCallError) {
            row = try await server.post(path, request, idempotencyKey: key, within: Self.deadline)
        } catch {
            if let advice = Self.advice(after: error, key: key) { StandardError.printLine(advice) }
            throw error
        }
        let isAnswered = row["state"] == .string("extended")
        if json { print(row) } else { print(lines(of: row)) }
        if !isAnswered { StandardError.printLine(Self.adviceToRepeat(key)) }
        guard isAnswered, row["error"] == .null else { throw ExitCode.failure }
    }

    private func lines(of row: JSONObject) -> [String] {
        let times = LocalTimes(zone: .current)
        let subscription = row["subscription_id"]?.stringValue ?? id
        guard row["state"] == .string("extended") else {
            return [
                "\(subscription): it is not known yet whether Apple extended it. The server finds out, usually within "
                    + "an hour; while Apple does not answer, later"
            ]
        }
        if let message = row["error"]?.objectValue?["message"]?.stringValue { return ["\(subscription): \(message)"] }
        let end = times.text(row["period_ends_at"]) ?? "later"
        guard row["period_ends_at"] != row["previous_period_ends_at"] else {
            return ["\(subscription): Apple accepted the extension, but the period still ends \(end)"]
        }
        let before = times.text(row["previous_period_ends_at"]).map { " instead of \($0)" } ?? ""
        return ["\(subscription) extended: the period ends \(end)\(before)"]
    }

    /// Errors after which Apple surely did nothing.
    private static let codesOfNothingDone: Set = [
        "app_store_unavailable", "app_store_busy", "app_store_rate_limited", "rate_limited",
    ]

    /// What to do after an error; nil if the same request cannot succeed.
    static func advice(after error: ServerCallError, key: String) -> String? {
        guard error.status == nil || error.isRetryable else { return nil }
        guard codesOfNothingDone.contains(error.code) else { return adviceToRepeat(key) }
        let wait = error.waitText.map { "in \($0)" } ?? "later"
        return "Nothing was done. Repeat the command with --idempotency-key \(TerminalText.escaped(key)) \(wait)."
    }

    private static func adviceToRepeat(_ key: String) -> String {
        "Repeat the command with --idempotency-key \(TerminalText.escaped(key)) to get the result: the server never"
            + " extends twice under one key."
    }

    private func print(_ object: JSONObject) {
        StandardOutput.printLine(String(decoding: object.serialize(), as: UTF8.self))
    }

    private func print(_ lines: [String]) {
        for line in lines { StandardOutput.printLine(TerminalText.escaped(line)) }
    }
}
