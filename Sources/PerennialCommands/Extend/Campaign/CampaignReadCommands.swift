import AppStoreModel
import ArgumentParser
import Foundation
import PerennialCommandSupport
import SubscriptionServer

/// `perennial extend campaign show`: one campaign.
struct CampaignShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a campaign.")

    @OptionGroup var campaign: CampaignOptions

    @Flag(
        help: """
            Wait until it ends, or Apple is away or busy, or asks to try again later. The exit status is 0 only if \
            every member was extended.
            """
    )
    var wait = false

    func run() async throws {
        try await campaign.connection.withCalls { server in
            if wait {
                try await CampaignWait(campaign: campaign, server: server, untilTheEnd: true).run()
            } else {
                CampaignText(try await server.get(campaign.path())).print(asJSON: campaign.json)
            }
        }
    }
}

/// `perennial extend campaign list`: all campaigns.
struct CampaignListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List campaigns, newest first.")

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print each campaign as the server returns it, one on a line.")
    var json = false

    func run() async throws {
        try await connection.withCalls { server in
            try await server.eachItem(of: "/v1/extension_campaigns") { campaign in
                StandardOutput.printLine(
                    json
                        ? String(decoding: campaign.serialize(), as: UTF8.self)
                        : CampaignText(campaign).line(in: .current)
                )
            }
        }
    }
}

/// `perennial extend campaign candidates`: whom a campaign is about.
struct CampaignCandidatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "candidates",
        abstract: "List whom a campaign is about: who can be extended, and who cannot and why."
    )

    @OptionGroup var campaign: CampaignOptions

    func run() async throws {
        try await campaign.connection.withCalls { server in
            let names = ["subscription_id", "product_id", "storefront", "period_ends_at", "eligible", "code"]
            try await server.eachItem(
                of: campaign.path("/candidates"),
                begin: { if !campaign.json { printCSV(names.map { .string($0) }) } }
            ) { candidate in
                if campaign.json {
                    StandardOutput.printLine(String(decoding: candidate.serialize(), as: UTF8.self))
                } else {
                    printCSV(Self.fields(candidate))
                }
            }
        }
    }
}

extension CampaignCandidatesCommand {
    private static func fields(_ candidate: JSONObject) -> [JSONValue?] {
        [
            candidate["subscription_id"], candidate["product_id"], candidate["storefront"],
            candidate["period_ends_at"], candidate["eligible"], candidate["obstacle"]?.objectValue?["code"],
        ]
    }
}

/// Prints a line of CSV.
func printCSV(_ fields: [JSONValue?]) {
    // The line has its own end.
    let line = CSVLine.text(of: fields.map { $0 ?? .null }).dropLast()
    StandardOutput.printLine(String(decoding: line, as: UTF8.self))
}
