import AppStoreModel
import ArgumentParser
import PerennialCommandSupport

/// `perennial extend campaign dry-run`: counts who can be extended.
struct CampaignDryRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dry-run",
        abstract: "Count who can be extended, and who cannot and why. Apple is not asked."
    )

    @OptionGroup var campaign: CampaignOptions

    func run() async throws {
        try await campaign.connection.withCalls { server in
            var object = try await server.post(campaign.path("/dry_run"), [:])
            while object["dry_run"]?.objectValue?["finished_at"] == .null {
                try await Task.sleep(for: CampaignWait.pause)
                object = try await server.get(campaign.path())
            }
            CampaignText(object).print(asJSON: campaign.json)
        }
    }
}

/// `perennial extend campaign approve`: approves a campaign after its dry run.
struct CampaignApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve a campaign with another key than the one that drafted it."
    )

    @OptionGroup var campaign: CampaignOptions

    @Flag(help: "Approve a campaign of the same key. The server allows it only with campaigns.approve_own.")
    var approveOwn = false

    func run() async throws {
        try await campaign.connection.withCalls { server in
            let body: JSONObject = approveOwn ? ["approve_own": .bool(true)] : [:]
            CampaignText(try await server.post(campaign.path("/approve"), body)).print(asJSON: campaign.json)
        }
    }
}

/// `perennial extend campaign start`: starts an approved campaign, and shows its progress.
struct CampaignStartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start an approved campaign, and wait until Apple was asked about every member.",
        discussion: """
            The server works on it, also if this command is stopped. Orders for all subscribers of a product take \
            Apple hours or days, and a lost answer takes the server up to an hour: the command does not wait for them. \
            Nor does it wait long while nothing changes, because Apple asks to try again later. \
            The exit status is 1 if a member was not extended or is in doubt, or if Apple is away or busy.
            """
    )

    @OptionGroup var campaign: CampaignOptions

    @Flag(help: "Do not wait for the result.")
    var noWait = false

    func run() async throws {
        try await campaign.connection.withCalls { server in
            let started = try await server.post(campaign.path("/start"), [:])
            if noWait {
                CampaignText(started).print(asJSON: campaign.json)
            } else {
                try await CampaignWait(campaign: campaign, server: server).run()
            }
        }
    }
}

/// `perennial extend campaign cancel`: ends a campaign.
struct CampaignCancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a campaign. What Apple was asked before stays extended.",
        discussion: """
            Apple is asked about nobody else. An order for all subscribers of a product that Apple has accepted cannot \
            be stopped: Apple may still extend them.
            """
    )

    @OptionGroup var campaign: CampaignOptions

    func run() async throws {
        try await campaign.connection.withCalls { server in
            CampaignText(try await server.post(campaign.path("/cancel"), [:])).print(asJSON: campaign.json)
        }
    }
}
