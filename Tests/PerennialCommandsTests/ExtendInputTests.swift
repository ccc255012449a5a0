import ArgumentParser
import Foundation
import Testing

@testable import PerennialCommands

/// What the commands refuse before they ask a server, in the words of their own options.
@Suite struct `The input of commands` {
    @Test(arguments: ["0", "91"])
    func `has a number of days that Apple takes`(days: String) {
        let text = "--days must be a number from 1 to 90, not \(days)."
        let one = ["2000000123456789", "--days", days, "--reason", "outage"]
        let campaign = ["--product", "pro", "--days", days, "--reason", "outage"]
        let refusals = [
            Self.refusal { _ = try ExtendOneCommand.parse(one) },
            Self.refusal { _ = try CampaignDraftCommand.parse(campaign) },
        ]
        #expect(refusals == [text, text])
    }

    @Test func `has a policy that can be read, or the usage of the replay is shown`() {
        let path = "/nowhere-\(UUID().uuidString)/policy.yaml"
        var text = ""
        do {
            _ = try ConsumptionReplayCommand.parse(["--policy", path, "--since", "2026-11-01"])
            Issue.record("It was accepted.")
        } catch {
            text = ConsumptionReplayCommand.fullMessage(for: error, columns: 200)
        }
        #expect(text.contains("\(path) cannot be read"))
        #expect(text.contains("replay --policy"))
    }

    @Test(arguments: [(Int64(0), "later"), (1, "in 2 seconds"), (119, "in 119 seconds"), (3_541, "in 60 minutes")])
    func `is to be repeated when a limit allows it, because nothing was done`(seconds: Int64, wait: String) {
        for code in ["app_store_rate_limited", "app_store_unavailable"] {
            var error = ServerCallError(code: code, message: "", status: 503, isRetryable: true)
            if seconds > 0 { error.retryAfter = .seconds(seconds) }
            let advice = "Nothing was done. Repeat the command with --idempotency-key k \(wait)."
            #expect(ExtendOneCommand.advice(after: error, key: "k") == advice)
        }
    }

    @Test func `is to be repeated for the result if the answer was lost`() {
        let lost = ServerCallError(code: "server_unreachable", message: "", isRetryable: true)
        let advice = ExtendOneCommand.advice(after: lost, key: "k")
        #expect(advice?.hasPrefix("Repeat the command with --idempotency-key k to get the result") == true)
        let refused = ServerCallError(code: "extension_ineligible", message: "", status: 409)
        #expect(ExtendOneCommand.advice(after: refused, key: "k") == nil)
    }

    /// The message of the error that a parser throws; empty if it throws none.
    private static func refusal(_ parse: () throws -> Void) -> String {
        do {
            try parse()
            return ""
        } catch {
            return ExtendCommand.message(for: error)
        }
    }
}
