import AppStoreModel
import ArgumentParser
import PerennialCommandSupport

/// `perennial extend campaign report`: the results of all members.
struct CampaignReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report what became of the members.",
        discussion: """
            As text, or with --json as one object: the counts, why Apple refused members, and by how many days periods \
            were moved on average. With --csv: one line for each member, by state in the order planned, ordered, \
            asked, extended, refused, skipped, unknown, then by subscription.
            """
    )

    @OptionGroup var campaign: CampaignOptions

    @Flag(help: "Print the members as CSV.")
    var csv = false

    func validate() throws {
        guard !(csv && campaign.json) else { throw ValidationError("Give --csv or --json, not both.") }
    }

    func run() async throws {
        try await campaign.connection.withCalls { server in
            if csv {
                try await printMembers(server)
            } else {
                let object = try await server.get(campaign.path())
                let refusals = try await refusals(server)
                let report = CampaignReport(object, moved: try await moved(server), refusals: refusals)
                if campaign.json {
                    StandardOutput.printLine(String(decoding: report.json.serialize(), as: UTF8.self))
                } else {
                    CampaignText(object, refusals: refusals).print(asJSON: false)
                    for line in report.lines { StandardOutput.printLine(line) }
                }
            }
        }
    }

    private func printMembers(_ server: ServerCalls) async throws {
        let names = ["subscription_id", "state", "previous_period_ends_at", "period_ends_at", "code", "message"]
        var lines = CampaignMemberLines()
        for (index, state) in CampaignMemberLines.states.enumerated() {
            try await server.eachItem(
                of: campaign.path("/members?state=\(state)"),
                begin: { if index == 0 { printCSV(names.map { .string($0) }) } }
            ) { member in
                if let fields = lines.fields(of: member) { printCSV(fields) }
            }
        }
    }

    /// Why members were refused.
    private func refusals(_ server: ServerCalls) async throws -> CampaignRefusals {
        var refusals = CampaignRefusals()
        try await server.eachItem(of: campaign.path("/members?state=refused")) { refusals.add($0) }
        return refusals
    }

    /// By how much the extended periods were moved. An extension that nothing shows does not count.
    private func moved(_ server: ServerCalls) async throws -> CampaignReport.Moved {
        var moved = CampaignReport.Moved()
        try await server.eachItem(of: campaign.path("/members?state=extended")) { member in
            guard member["error"] == .null, case .integer(let before)? = member["previous_period_ends_at"],
                case .integer(let after)? = member["period_ends_at"]
            else { return }
            moved.milliseconds += after - before
            moved.periods += 1
        }
        return moved
    }
}

/// The lines of a report about members, by state.
struct CampaignMemberLines {
    /// The states in the order of the lines: first those without a result. A member that gets one while the members
    /// are read is found in its new state, unless it was listed before.
    static let states = ["planned", "ordered", "asked", "extended", "refused", "skipped", "unknown"]

    private var listed: Set<String> = []

    /// The fields of a member; nil if it was listed in an earlier state.
    mutating func fields(of member: JSONObject) -> [JSONValue?]? {
        if let id = member["subscription_id"]?.stringValue, !listed.insert(id).inserted { return nil }
        let error = member["error"]?.objectValue
        return [
            member["subscription_id"], member["state"], member["previous_period_ends_at"],
            member["period_ends_at"], error?["code"], error?["message"],
        ]
    }
}

/// The results of a campaign, from the server's answer and the periods of its members.
struct CampaignReport {
    /// By how much periods were moved.
    struct Moved {
        /// The sum.
        var milliseconds: Int64 = 0
        /// The number of periods.
        var periods: Int64 = 0
    }

    private let campaign: JSONObject
    private let moved: Moved
    private let refusals: CampaignRefusals

    init(_ campaign: JSONObject, moved: Moved, refusals: CampaignRefusals = CampaignRefusals()) {
        self.campaign = campaign
        self.moved = moved
        self.refusals = refusals
    }

    private var counts: JSONObject { campaign["counts"]?.objectValue ?? JSONObject() }

    private func count(_ name: String) -> Int64 { counts[name]?.integerValue ?? 0 }

    /// The average in days, with one decimal; nil if no period was moved.
    private var averageDays: String? {
        guard moved.periods > 0 else { return nil }
        let tenths = (moved.milliseconds * 10 / moved.periods + 43_200_000) / 86_400_000
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// The lines after the campaign's own.
    var lines: [String] {
        ["  asked: \(count("asked"))"] + (averageDays.map { ["  average: \($0) days"] } ?? [])
    }

    /// One object.
    var json: JSONObject {
        var object = JSONObject()
        object["campaign"] = campaign["id"] ?? .null
        object["state"] = campaign["state"] ?? .null
        for name in ["members", "asked", "extended", "extended_unseen"] { object[name] = .integer(count(name)) }
        object["refused"] = counts["failed"] ?? .object(JSONObject())
        object["skipped"] = counts["skipped"] ?? .object(JSONObject())
        object["unknown"] = .integer(count("unknown"))
        object["open"] = .integer(count("planned") + count("ordered") + count("in_doubt"))
        object["average_days"] = averageDays.map { .decimal($0) } ?? .null
        object["refused_reasons"] = refusals.json
        return object
    }
}
