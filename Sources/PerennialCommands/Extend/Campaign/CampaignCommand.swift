import ArgumentParser

/// `perennial extend campaign`: many subscriptions extended, from the draft to the report.
struct CampaignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaign",
        abstract: "Lengthen the paid periods of many subscriptions by the same number of days.",
        discussion: """
            Draft a campaign, look at its dry run, let another key approve it, and start it. Apple sends each customer \
            an e-mail, and an extension cannot be taken back. Each command asks a running server. The secret key \
            comes from --key-file, then from PERENNIAL_API_SECRET_KEY, then from PERENNIAL_DEV_SECRET_KEY.

            Example:
              perennial extend campaign draft --product pro.monthly --days 10 --reason outage
              perennial extend campaign dry-run xc_4f
              perennial extend campaign approve xc_4f --key-file second.txt
              perennial extend campaign start xc_4f
              perennial extend campaign report xc_4f --csv > report.csv
            """,
        subcommands: [
            CampaignDraftCommand.self, CampaignDryRunCommand.self, CampaignApproveCommand.self,
            CampaignStartCommand.self, CampaignCancelCommand.self, CampaignShowCommand.self, CampaignListCommand.self,
            CampaignCandidatesCommand.self, CampaignReportCommand.self,
        ]
    )
}

/// The options of a command about one campaign.
struct CampaignOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The campaign.", valueName: "campaign-id"))
    var id: String

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Print the campaign, or each candidate or member on a line, as the server returns it.")
    var json = false

    func validate() throws {
        guard !id.isEmpty else { throw ValidationError("Give the id of the campaign, xc_….") }
    }

    /// The path of the campaign, or of something that belongs to it.
    func path(_ part: String = "") -> String { "/v1/extension_campaigns/\(ServerCalls.encoded(id))\(part)" }
}
