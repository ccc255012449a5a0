import AppStoreModel
import ArgumentParser
import PerennialCommandSupport

/// Waits for the end of a campaign, with its progress on a terminal.
struct CampaignWait {
    /// The time between two looks at the campaign.
    static let pause = Duration.milliseconds(500)
    private static let barWidth = 30
    /// How long the number of members in doubt stays before they are taken for lost answers.
    private static let doubtPause = Duration.seconds(5)

    let campaign: CampaignOptions
    let server: ServerCalls
    /// Whether it waits for what takes hours: for answers in doubt, for orders that Apple carries out, and for the
    /// announcements or the new ends of members that Apple confirmed.
    var untilTheEnd = false

    /// Waits and prints the campaign. It stops waiting if Apple is away or busy, because that may take hours.
    ///
    /// - Throws: ``ServerCallError``; `ExitCode` if a member was not extended or is in doubt.
    func run() async throws {
        let progress = Progress()
        // The answer about one campaign has its orders.
        var object = try await server.get(campaign.path())
        var (doubts, since) = (0, ContinuousClock.now)
        while Self.goesOn(object, untilTheEnd: untilTheEnd) {
            let text = CampaignText(object)
            // Members in doubt are being asked about, or their answers are lost: then their number stays.
            if text.isBeingAsked || text.count("in_doubt") != doubts {
                (doubts, since) = (text.count("in_doubt"), .now)
            } else if !untilTheEnd, ContinuousClock.now - since > Self.doubtPause {
                break
            }
            progress.update(Self.bar(text))
            try await Task.sleep(for: Self.pause)
            object = try await server.get(campaign.path())
        }
        progress.update("")
        let text = CampaignText(object)
        text.print(asJSON: campaign.json)
        guard text.isGood else { throw ExitCode.failure }
    }

    /// Whether it waits on.
    static func goesOn(_ object: JSONObject, untilTheEnd: Bool) -> Bool {
        // Members that Apple confirmed may still turn out not to be seen.
        if untilTheEnd, object["awaits_announcements"] == .bool(true) { return true }
        guard object["state"] == .string("running"), object["retry_at"] == .null else { return false }
        let text = CampaignText(object)
        return untilTheEnd || text.isBeingAsked || text.count("in_doubt") > 0
    }

    /// A line such as `[#####-----] 50 of 100`.
    static func bar(_ text: CampaignText) -> String {
        let all = text.count("members")
        let done = all - text.count("planned") - text.count("ordered") - text.count("in_doubt")
        let filled = all == 0 ? 0 : done * barWidth / all
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled)
        return "[\(bar)] \(done) of \(all)"
    }
}
