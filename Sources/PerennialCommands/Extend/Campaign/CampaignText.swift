import AppStoreModel
import Foundation
import PerennialCommandSupport

/// A campaign as text, from the server's answer.
struct CampaignText {
    private let campaign: JSONObject
    private let refusals: CampaignRefusals

    /// - Parameter refusals: Why members were refused, if that is shown.
    init(_ campaign: JSONObject, refusals: CampaignRefusals = CampaignRefusals()) {
        self.campaign = campaign
        self.refusals = refusals
    }

    /// Whether every member was extended, or is in an order that Apple carries out.
    var isGood: Bool {
        let isAlive = campaign["state"] == .string("finished") || isRunning
        let isRefused = orders.contains { $0["state"] == .string("ended") } && count("ordered") > 0
        return isAlive && !isRefused && count("extended") + count("ordered") == count("members")
            && campaign["retry_at"] == .null && count("extended_unseen") == 0
    }

    /// Whether calls are being made: members are enlisted, asked about, or ordered.
    var isBeingAsked: Bool {
        campaign["is_enlisted"] != .bool(true) || count("planned") > 0
            || orders.contains { $0["state"] == .string("waiting") }
    }

    /// Whether the server works on it, and not every member is extended or in an order.
    var isContinued: Bool {
        isRunning && !isGood && campaign["error"]?.objectValue?["code"] != .string("app_store_unauthorized")
    }

    /// Whether all members without a result are postponed.
    var isPostponed: Bool {
        campaign["is_enlisted"] == .bool(true) && count("planned") > 0 && count("planned") == count("postponed")
            && count("ordered") == 0 && count("in_doubt") == 0
    }

    private var isRunning: Bool { campaign["state"] == .string("running") }

    private var orders: [JSONObject] { campaign.objects("orders") }

    /// A count of members.
    func count(_ name: String) -> Int { Int(counts.count(name)) }

    private var counts: JSONObject { campaign["counts"]?.objectValue ?? JSONObject() }

    /// Prints the campaign.
    func print(asJSON: Bool) {
        if asJSON {
            StandardOutput.printLine(String(decoding: campaign.serialize(), as: UTF8.self))
        } else {
            for line in lines(in: .current) { StandardOutput.printLine(line) }
        }
    }

    /// The lines, with times in a time zone.
    func lines(in zone: TimeZone) -> [String] {
        let times = LocalTimes(zone: zone)
        return (heading(times) + dryRun(times) + members(times)).map(TerminalText.escaped)
    }

    /// One line for a list of campaigns.
    func line(in zone: TimeZone) -> String {
        let time = LocalTimes(zone: zone).text(campaign["created_at"]) ?? "?"
        return TerminalText.escaped("\(text("id"))  \(text("state"))  \(time)  \(terms)")
    }

    private func text(_ name: String) -> String { campaign.text(name) ?? "?" }

    private var terms: String {
        let products = campaign.texts("product_ids").joined(separator: ", ")
        let storefronts = campaign.texts("storefronts")
        let areas = storefronts.isEmpty ? "" : " in \(storefronts.joined(separator: ", "))"
        return "\(days) (\(text("reason"))) for \(products)\(areas)"
    }

    private var days: String {
        let number = campaign.count("extend_by_days")
        return "\(number) \(number == 1 ? "day" : "days")"
    }

    private func heading(_ times: LocalTimes) -> [String] {
        var lines = ["Campaign \(text("id")): \(text("state"))", "  \(terms)"]
        if let window = campaign["window"]?.objectValue, let from = times.text(window["from"]),
            let to = times.text(window["to"])
        {
            lines.append("  only who was subscribed between \(from) and \(to)")
        }
        return lines
    }

    private func dryRun(_ times: LocalTimes) -> [String] {
        guard let run = campaign["dry_run"]?.objectValue else { return ["  no dry run yet"] }
        let state = times.text(run["finished_at"]).map { "Dry run of \($0)" } ?? "Dry run, still running"
        var lines = ["", state, "  can be extended: \(run.count("eligible"))"]
        lines += run.named("products").map { "    product \($0.name): \($0.count)" }
        lines += run.named("storefronts").map { "    storefront \($0.name): \($0.count)" }
        for (currency, sum) in run.named("renewals") {
            guard let price = DisplayNames.price(.integer(Int64(sum)), currency) else { continue }
            lines.append("  renewals that come \(days) later: \(price)")
        }
        lines += run.named("ineligible").map { "  cannot be extended, \(Self.reason($0.name)): \($0.count)" }
        lines += run.texts("products_without_eligible").map { product -> String in
            let cause = Self.cause(of: product, in: run["ineligible_products"])
            return "  nobody can be extended for the product \(product)\(cause.map { ": \($0)" } ?? "")"
        }
        lines += run.texts("storefronts_without_eligible").map { storefront -> String in
            let cause = Self.cause(of: storefront, in: run["ineligible_storefronts"]) ?? "check its name"
            let advice = cause == Self.noSubscribers ? ", check its name" : ""
            return "  nobody can be extended in the storefront \(storefront): \(cause)\(advice)"
        }
        return lines
    }

    private static let doubt =
        "Apple is being asked, or its answer was lost. The server finds out what Apple did: within an hour, or later "
        + "while Apple does not answer, at most two weeks."
    private static let noSubscribers = "no subscribers"

    /// Why nobody can be extended, from the obstacles by name; nil if a server of an earlier version counted them.
    private static func cause(of name: String, in groups: JSONValue?) -> String? {
        guard let groups = groups?.objectValue else { return nil }
        let obstacles = groups.named(name)
        if obstacles.isEmpty { return noSubscribers }
        if obstacles.count == 1, obstacles[0].name == "extension_free_period" { return "nobody has paid yet" }
        return obstacles.map { "\(reason($0.name)): \($0.count)" }.joined(separator: ", ")
    }

    private func members(_ times: LocalTimes) -> [String] {
        guard campaign["started_at"] != .null, campaign["started_at"] != nil else { return [] }
        var lines = ["", "Members: \(count("members"))", "  extended: \(count("extended"))\(byOrder)"]
        if count("extended_unseen") > 0 { lines.append("  extended but not seen: \(count("extended_unseen"))") }
        for (code, count) in counts.named("failed") {
            lines.append("  not extended, \(Self.reason(code)): \(count)")
            // The other codes say why.
            if code == "app_store_refused" { lines += refusals.lines(of: code).map { "    \($0)" } }
        }
        for (code, count) in counts.named("skipped") { lines.append("  skipped, \(Self.reason(code)): \(count)") }
        let waiting = postponed(times)
        for (what, number) in [
            ("not asked", count("planned") - count("postponed")), ("ordered", count("ordered")),
            ("in doubt", count("in_doubt")), ("without an answer", count("unknown")),
            ("postponed", waiting == nil ? count("postponed") : 0),
        ]
        where number > 0 {
            lines.append("  \(what): \(number)")
            if what == "in doubt" { lines.append("    \(Self.doubt)") }
        }
        if let waiting { lines.append("  \(waiting)") }
        if let line = remainder { lines.append("  \(line)") }
        for (code, count) in counts.named("ineligible") {
            lines.append("  not a member, \(Self.reason(code)): \(count)")
        }
        lines += orders.map { "  \(Self.line(of: $0))" }
        lines += disagreements.map { "  disagreement: \($0)" }
        if let error = campaign["error"]?.objectValue, let code = error["code"]?.stringValue {
            let again = times.text(campaign["retry_at"]).map { " The server asks again at \($0)." } ?? ""
            let reason =
                switch (code, error["message"]?.stringValue) {
                case ("app_store_unauthorized", _):
                    "stopped: Apple refuses this server's key. Correct app_store, and restart the server."
                case ("app_store_refused", let message?): "waiting: \(message)"
                case ("app_store_rate_limited", _): "waiting: Apple limits the calls."
                default: "waiting: Apple does not answer, or is busy (\(code))."
                }
            lines.append("  \(reason)\(again)")
        }
        return lines
    }

    /// How many members Apple could not find, and when it is asked again; nil if there are none, or the campaign ended.
    func postponed(_ times: LocalTimes) -> String? {
        guard isRunning, count("postponed") > 0 else { return nil }
        let next = times.text(campaign["next_try_at"]).map { "; the next try is at \($0)" } ?? ""
        return "postponed: \(count("postponed")). Apple asks to try again\(next)"
    }

    private var byOrder: String { orders.isEmpty ? "" : " (\(count("extended_by_order")) by an order)" }

    /// Where Apple's counts differ from the server's. What Apple says of one order in two ways is in the order's line.
    private var disagreements: [String] {
        campaign.objects("disagreements")
            .filter { $0["code"] != .string("extension_order_counts_differ") }.compactMap { $0["message"]?.stringValue }
    }

    /// What becomes of the members of a cancelled campaign's orders: Apple may not have an order that is `waiting`.
    private var remainder: String? {
        guard campaign["state"] == .string("cancelled"), count("ordered") > 0 else { return nil }
        let states = Set(orders.compactMap { $0["state"]?.stringValue })
        if !states.isDisjoint(with: ["accepted", "complete"]) {
            return "Apple cannot be stopped: its order may still extend \(count("ordered"))"
        }
        guard states.contains("waiting") else { return nil }
        return "the server asks Apple whether it has the order. If Apple has it, it may still extend "
            + "\(count("ordered")); otherwise it extends nobody"
    }

    /// An order at Apple, in Apple's own counts.
    private static func line(of order: JSONObject) -> String {
        var line = "order for \(order["product_id"]?.stringValue ?? "?"): \(order["state"]?.stringValue ?? "?")"
        if case .integer(let succeeded)? = order["succeeded"], case .integer(let failed)? = order["failed"] {
            line += ", Apple counts \(succeeded) extended and \(failed) not"
        }
        if let message = order["error"]?.objectValue?["message"]?.stringValue { line += " (\(message))" }
        return line
    }

    /// A code without the words that all of them have.
    private static func reason(_ code: String) -> String {
        DisplayNames.of(code.hasPrefix("extension_") ? String(code.dropFirst("extension_".count)) : code)
    }
}

extension JSONObject {
    fileprivate func named(_ name: String) -> [(name: String, count: Int)] {
        let members = self[name]?.objectValue?.members ?? []
        return members.map { ($0.key, Int($0.value.integerValue ?? 0)) }
    }
}
