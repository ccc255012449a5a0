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
