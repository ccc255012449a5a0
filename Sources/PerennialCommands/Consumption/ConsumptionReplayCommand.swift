import AppStoreModel
import ArgumentParser
import Foundation
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionServer

/// `perennial consumption replay`: what another policy would have answered.
struct ConsumptionReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Show what a policy would have answered to past refund requests, and what Apple decided.",
        discussion: """
            Asks a running server for the requests and for what it knew at each decision. Nothing changes, and \
            Apple is not asked. The secret key comes from --key-file, then from PERENNIAL_API_SECRET_KEY, then from \
            PERENNIAL_DEV_SECRET_KEY.

            Example:
              perennial consumption replay --policy policy.yaml --since 2026-11-01T00:00:00Z
            """
    )

    @Option(help: ArgumentHelp("The policy to try.", valueName: "file"))
    var policy: String

    @Option(help: ArgumentHelp("The oldest request: ISO 8601, or milliseconds since 1970.", valueName: "time"))
    var since: String

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print each request with both answers as JSON, one on a line, instead of text.")
    var json = false

    func validate() throws {
        guard Self.milliseconds(since) != nil else {
            throw ValidationError(
                "--since must be a time such as 2026-11-01T00:00:00Z, or milliseconds since 1970; not \"\(since)\"."
            )
        }
        // An error that is thrown later comes with the usage of the whole program.
        _ = try policyToTry()
    }

    func run() async throws {
        let policy = try policyToTry()
        let start = Self.milliseconds(since) ?? 0
        try await connection.withCalls { server in
            var tally = ReplayTally()
            var cursor: String?
            repeat {
                let after = cursor.map { "?after=\(ServerCalls.encoded($0))" } ?? ""
                let page = try await server.get("/v1/refund_requests\(after)")
                let requests = page.objects("data")
                let wanted = requests.filter { $0["requested_at"]?.integerValue ?? 0 >= start }
                for request in wanted {
                    let replayed = ReplayedRequest(request, under: policy)
                    tally.add(replayed)
                    StandardOutput.printLine(
                        json
                            ? String(decoding: replayed.json.serialize(), as: UTF8.self)
                            : TerminalText.escapedLine(replayed.line)
                    )
                }
                cursor = wanted.count == requests.count ? page["next_cursor"]?.stringValue : nil
            } while cursor != nil
            if !json { for line in tally.lines { StandardOutput.printLine(line) } }
        }
    }

    private func policyToTry() throws -> ConsumptionPolicy {
        do throws(ConsumptionPolicyFile.Problem) {
            return try ConsumptionPolicyFile.policy(path: policy)
        } catch {
            throw ValidationError("--policy: \(error)")
        }
    }

    private static func milliseconds(_ text: String) -> Int64? { Int64(text) ?? Timestamp(text: text)?.milliseconds }
}
