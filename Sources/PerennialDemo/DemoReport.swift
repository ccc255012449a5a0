import AppStoreModel

/// The output of `perennial demo --once --json`.
struct DemoReport: Sendable {
    /// The store's notifications and their deliveries.
    struct Notifications: Sendable {
        /// Created by the store.
        var sent = 0
        /// Stored by the server.
        var stored = 0
        /// Created by the store, but not stored by the server.
        var missing = 0
    }

    /// A campaign of the outage week.
    struct Campaign: Sendable {
        let terms: DemoCampaignTerms
        let counts: ServedCampaign.Counts
        /// The extensions that the demo made fail: Apple's count of the order, or the calls with a fault of their own.
        let failures: Int
        /// How long it took, by the store's clock.
        let hours: Int
        /// The members without an answer that were extended alone afterwards.
        var extendedAlone = 0

        /// Takes the figures of a finished campaign.
        ///
        /// - Parameter failedCalls: The calls about one subscription that the demo made fail.
        init(_ terms: DemoCampaignTerms, _ campaign: ServedCampaign, hours: Int, failedCalls: Int) {
            self.terms = terms
            self.hours = hours
            counts = campaign.counts
            switch terms.method {
            case .mass: failures = (campaign.orders ?? []).compactMap(\.failed).reduce(0, +)
            case .single: failures = failedCalls
            }
        }
    }

    /// What a receiver of webhooks got, which failed a third of the time.
    struct Webhooks: Sendable {
        /// The number of events in the feed.
        let events: Int
        /// The number of different events that arrived.
        let received: Int
        /// How often the receiver failed.
        let failures: Int
        /// How often an event arrived again.
        let repeated: Int
    }

    var accounts = 0
    var subscriptions = 0
    var transactions = 0
    var notifications = Notifications()
    /// The number of comparisons of an account with the server's answers.
    var compared = 0
    /// The number of differences.
    var disagreements = 0
    /// The campaigns of the outage week; empty if no paid subscription was active.
    var campaigns: [Campaign] = []
    /// The number of occurrences of each fault; empty without `--faults`.
    var faults: [String: Int] = [:]
    /// The number of accounts with access at the last comparison.
    var withAccess = 0
    /// The server's own comparison with the notification history of the last weeks.
    var gapReport: ServedRecoveryWindow?
    /// The receiver's view; nil before the end.
    var webhooks: Webhooks?
    var seconds = 0.0

    /// Whether the server has exactly the data of the store.
    var isPerfect: Bool { notifications.missing == 0 && disagreements == 0 && hasNoGap }

    private var hasNoGap: Bool {
        guard let gapReport else { return true }
        return gapReport.state == "finished" && gapReport.refused + gapReport.missing == 0
    }

    /// One line of JSON.
    var jsonLine: String {
        let sums: JSONObject = [
            "sent": .integer(Int64(notifications.sent)),
            "held": .integer(Int64(notifications.stored)),
            "missing": .integer(Int64(notifications.missing)),
        ]
        var report: JSONObject = [
            "accounts": .integer(Int64(accounts)),
            "subscriptions": .integer(Int64(subscriptions)),
            "transactions": .integer(Int64(transactions)),
            "notifications": .object(sums),
            "compared": .integer(Int64(compared)),
            "disagreements": .integer(Int64(disagreements)),
            "campaigns": .array(campaigns.map { .object($0.json) }),
            "seconds": .decimal("\(seconds)"),
        ]
        if let gapReport {
            report["recovery_window"] = .object([
                "state": .string(gapReport.state),
                "sent": .integer(Int64(gapReport.sent)),
                "held": .integer(Int64(gapReport.held)),
                "recovered": .integer(Int64(gapReport.recovered)),
                "refused": .integer(Int64(gapReport.refused)),
                "missing": .integer(Int64(gapReport.missing)),
            ])
        }
        if let webhooks {
            report["webhooks"] = .object([
                "events": .integer(Int64(webhooks.events)),
                "received": .integer(Int64(webhooks.received)),
                "failures": .integer(Int64(webhooks.failures)),
                "repeated": .integer(Int64(webhooks.repeated)),
            ])
        }
        if !faults.isEmpty {
            var counts = JSONObject()
            for (fault, count) in faults.sorted(by: { $0.key < $1.key }) { counts[fault] = .integer(Int64(count)) }
            report["faults"] = .object(counts)
        }
        return String(decoding: report.serialize(), as: UTF8.self)
    }

    /// The same as text.
    var text: String {
        """
        \(accounts) accounts, \(subscriptions) subscriptions, \(transactions) transactions
        notifications: \(notifications.sent) sent, \(notifications.stored) stored, \(notifications.missing) missing
        accounts compared with the store's ledger \(compared) times: \(disagreements) disagreements
        (a disagreement is one difference between the server's answers and the store's ledger)
        \(campaignsText)\(gapText)\(webhooksText)\(faultsText)\(seconds) seconds
        """
    }

    private var gapText: String {
        guard let gapReport else { return "" }
        return "the server's report of the last weeks: \(gapReport.sent) sent, \(gapReport.held) held, "
            + "\(gapReport.recovered) recovered, \(gapReport.refused) refused, \(gapReport.missing) missing\n"
    }

    private var campaignsText: String {
        if campaigns.isEmpty { return "outage week: no active paid subscription: no campaign\n" }
        return campaigns.map { "outage week: \($0.text)\n" }.joined()
    }

    private var webhooksText: String {
        guard let webhooks else { return "" }
        return "webhooks: \(webhooks.received) of \(webhooks.events) events received, by a receiver that failed "
            + "\(webhooks.failures) times; \(webhooks.repeated) arrived again\n"
    }

    private var faultsText: String {
        if faults.isEmpty { return "" }
        let counts = faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "faults: " + counts.joined(separator: ", ") + "\n"
    }
}

extension DemoReport.Campaign {
    /// One line.
    var text: String {
        let way = terms.method == .mass ? "by one order" : "one by one"
        return "\(terms.productIDs.joined(separator: ", ")) \(way): \(counts.members) members, "
            + "\(counts.extended) extended, \(counts.refused) refused, \(counts.unknown) without an answer "
            + "(\(extendedAlone) extended alone); \(failures) made to fail; finished after \(hours) h"
    }

    fileprivate var json: JSONObject {
        [
            "product_ids": .array(terms.productIDs.map { .string($0) }),
            "method": .string(terms.method.rawValue),
            "members": .integer(Int64(counts.members)),
            "extended": .integer(Int64(counts.extended)),
            "extended_by_order": .integer(Int64(counts.extendedByOrder)),
            "refused": .integer(Int64(counts.refused)),
            "unknown": .integer(Int64(counts.unknown)),
            "extended_alone": .integer(Int64(extendedAlone)),
            "failures": .integer(Int64(failures)),
            "hours": .integer(Int64(hours)),
        ]
    }
}
