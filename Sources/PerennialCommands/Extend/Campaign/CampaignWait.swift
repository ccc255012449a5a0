import AppStoreModel
import ArgumentParser
import Foundation
import PerennialCommandSupport

/// Waits for the end of a campaign, with its progress on a terminal.
struct CampaignWait {
    /// The time between two looks at the campaign.
    static let pause = Duration.milliseconds(500)
    private static let barWidth = 30
    /// How long the number of members in doubt stays before they are taken for lost answers.
    private static let doubtPause = Duration.seconds(5)
    /// How long nothing changes before it stops waiting for a later try.
    private static let quietMax = Duration.seconds(30)
    /// A next try within this time, or that much late, is waited for.
    private static let soonSeconds = 30.0
    /// The same as ``quietMax`` if members wait for something without a time, such as the end of another extension.
    private static let quietWithoutTryMax = Duration.seconds(120)

    let campaign: CampaignOptions
    let server: ServerCalls
    /// Whether it waits for what takes hours: for answers in doubt, for orders that Apple carries out, and for the
    /// announcements or the new ends of members that Apple confirmed.
    var untilTheEnd = false

    /// Waits and prints the campaign. It stops waiting if Apple is away or busy, or asks to try again later, because
    /// that may take hours.
    ///
    /// - Throws: ``ServerCallError``; `ExitCode` if a member was not extended or is in doubt.
    func run() async throws {
        let progress = Progress()
        // The answer about one campaign has its orders.
        var object = try await server.get(campaign.path())
        var (doubts, since) = (0, ContinuousClock.now)
        var (seen, seenSince) = (object, ContinuousClock.now)
        var saysThatItWaits = true
        while Self.goesOn(object, untilTheEnd: untilTheEnd) {
            let text = CampaignText(object)
            // Members in doubt are being asked about, or their answers are lost: then their number stays.
            if text.isBeingAsked || text.count("in_doubt") != doubts {
                (doubts, since) = (text.count("in_doubt"), .now)
            } else if !untilTheEnd, ContinuousClock.now - since > Self.doubtPause {
                break
            }
            if object != seen { (seen, seenSince) = (object, .now) }
            let quiet = ContinuousClock.now - seenSince
            if Self.isTooQuiet(object, for: quiet, untilTheEnd: untilTheEnd, at: Date()) { break }
            if saysThatItWaits, text.isPostponed, let line = text.postponed(LocalTimes(zone: .current)) {
                progress.log("Waiting for members that are \(line)")
                saysThatItWaits = false
            }
            progress.update(Self.bar(text))
            try await Task.sleep(for: Self.pause)
            object = try await server.get(campaign.path())
        }
        progress.update("")
        let text = CampaignText(object)
        text.print(asJSON: campaign.json)
        if text.isContinued {
            let command = "perennial extend campaign show \(TerminalText.escaped(campaign.id))"
            progress.log("The server goes on by itself. To see how far it is: \(command)")
        }
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

    /// Whether it stops waiting because nothing has changed for some time, and nothing will change soon.
    ///
    /// - Parameter quiet: How long nothing has changed.
    static func isTooQuiet(_ object: JSONObject, for quiet: Duration, untilTheEnd: Bool, at now: Date) -> Bool {
        let text = CampaignText(object)
        guard object["is_enlisted"] == .bool(true), text.count("planned") > 0 else { return false }
        // Until the end, it waits on for orders, and for members that wait for something else.
        if untilTheEnd, !text.isPostponed { return false }
        guard let next = object["next_try_at"]?.integerValue else { return quiet > quietWithoutTryMax }
        let untilNext = Double(next) / 1_000 - now.timeIntervalSince1970
        return quiet > quietMax && abs(untilNext) > soonSeconds
    }

    /// A line such as `[#####-----] 50 of 100, 2 postponed`.
    static func bar(_ text: CampaignText) -> String {
        let all = text.count("members")
        let done = all - text.count("planned") - text.count("ordered") - text.count("in_doubt")
        let filled = all == 0 ? 0 : done * barWidth / all
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled)
        let postponed = text.count("postponed")
        return "[\(bar)] \(done) of \(all)" + (postponed > 0 ? ", \(postponed) postponed" : "")
    }
}
