import PerennialCommandSupport

/// The outage week: an operator gives the subscribers of two products the lost time back, with a campaign for each.
///
/// Apple gets one order for all subscribers of the product that has most, and is asked about each subscriber of the
/// second one alone. About one extension in ten fails: in the order at Apple's limit, and alone by faults of the calls.
struct DemoOutage: Sendable {
    /// A campaign that is approved.
    private struct Approved: Sendable {
        let id: String
        let terms: DemoCampaignTerms
        /// The ledger at the dry run.
        let tried: DemoLedger
    }

    private static let days = 7
    /// The approximate number of members of a campaign that asks about each alone: each failed call makes it wait.
    private static let singleMembersMax = 100
    private static let second: Int64 = 1_000
    private static let hour: Int64 = 3_600_000
    /// The steps of a second within which the server counts or enlists.
    private static let secondsMax = 600
    /// The hours after which each further hour takes a second of real time: a killed server leaves a lease, which ends
    /// in real time.
    private static let swiftHours = 24
    private static let hoursMax = 120

    let server: DemoServerAPI
    let check: DemoLedgerCheck
    let progress: Progress

    private var store: DemoStoreAPI { check.store }

    /// The campaigns for the subscriptions of a ledger: an order for the product with most of them, and single calls
    /// for the next one.
    static func terms(for ledger: DemoLedger) -> [DemoCampaignTerms] {
        let products = Dictionary(grouping: ledger.extendable, by: \.productID)
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return zip(products, [DemoCampaignTerms.Method.mass, .single]).map { product, method in
            DemoCampaignTerms(
                productIDs: [product.key],
                storefronts: method == .mass ? nil : storefronts(of: product.value),
                days: days,
                reason: "outage",
                method: method
            )
        }
    }

    /// One in ten, rounded.
    static func tenth(of number: Int) -> Int { (number + 5) / 10 }

    /// Drafts, tries, approves and starts the campaigns, follows them to their end, and compares them with the ledger.
    func run(_ simulation: inout DemoSimulation, _ report: inout DemoReport) async throws {
        let ledger = try await store.ledger()
        var approved: [Approved] = []
        for terms in Self.terms(for: ledger) { approved.append(try await approve(terms, &simulation)) }
        guard !approved.isEmpty else { return }
        let before = try await startAll(approved, &simulation)
        let hours = try await finish(approved.map(\.id), &simulation)
        let failedCalls = try await store.faults().api.filter { $0.endpoint == DemoFaults.extensionCall }
            .reduce(0) { $0 + $1.happened }
        let after = try await store.ledger()
        try await simulation.stopFaults()
        var unanswered: [[ServedExtension]] = []
        for campaign in approved {
            let served = try await server.campaign(campaign.id)
            let members = try await server.members(of: campaign.id)
            let comparison = DemoCampaignCheck(
                terms: campaign.terms,
                campaign: served,
                members: members,
                tried: campaign.tried,
                before: before,
                after: after
            )
            check.note(comparison.disagreements(), in: &report)
            report.campaigns.append(
                DemoReport.Campaign(
                    campaign.terms,
                    served,
                    hours: hours[campaign.id] ?? 0,
                    failedCalls: failedCalls
                )
            )
            unanswered.append(members.filter { $0.state == "unknown" })
        }
        // Who was not extended, as the ledger shows, is extended alone, as an operator does.
        let extended = after.extended(since: before)
        for (position, campaign) in approved.enumerated() {
            for member in unanswered[position] where !extended.contains(member.subscriptionId) {
                let isMade = try await extendAgain(member, of: campaign, after, &report)
                if isMade { report.campaigns[position].extendedAlone += 1 }
            }
        }
        for campaign in report.campaigns { progress.log("outage week: \(campaign.text)") }
    }

    /// All countries, or some that together have about as many subscribers as a campaign of single calls may have.
    private static func storefronts(of entries: [DemoLedger.Entry]) -> [String]? {
        guard entries.count > singleMembersMax else { return nil }
        let sizes = Dictionary(grouping: entries, by: \.storefront).mapValues(\.count)
            .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        var chosen: [String] = []
        var members = 0
        for (storefront, size) in sizes where chosen.isEmpty || members + size <= singleMembersMax {
            chosen.append(storefront)
            members += size
        }
        return chosen
    }
}

extension DemoOutage {
    /// Drafts a campaign, waits for its dry run, and approves it.
    private func approve(_ terms: DemoCampaignTerms, _ simulation: inout DemoSimulation) async throws -> Approved {
        let id = try await server.draft(terms).id
        _ = try await server.tryOut(id)
        try await wait(for: id, &simulation) { $0.dryRun?.finishedAt != nil }
        let tried = try await store.ledger()
        _ = try await server.approve(id)
        return Approved(id: id, terms: terms, tried: tried)
    }

    /// Starts the campaigns, with their failures.
    ///
    /// - Returns: The ledger before Apple carries out or gets a request of them.
    private func startAll(_ campaigns: [Approved], _ simulation: inout DemoSimulation) async throws -> DemoLedger {
        try await store.setFaults(.none.failing([.busyOrder]))
        for campaign in campaigns where campaign.terms.method == .mass {
            _ = try await server.start(campaign.id)
            try await wait(for: campaign.id, &simulation, until: \.isEnlisted)
            try await reachLimit(campaign.terms)
        }
        let before = try await store.ledger()
        let singles = campaigns.filter { $0.terms.method == .single }
        let calls = before.extendable.count { entry in singles.contains { $0.terms.concern(entry) } }
        try await simulation.startFaults(failing: DemoFaults.Rule.extensionFailures(Self.tenth(of: calls)))
        for campaign in singles { _ = try await server.start(campaign.id) }
        return before
    }

    /// Support extends one subscription in ten twice while the order waits at Apple. That is Apple's limit, so the
    /// order fails for them, and nothing else can extend them either.
    private func reachLimit(_ terms: DemoCampaignTerms) async throws {
        let ledger = try await store.ledger()
        // The limit may be that of the customer, so nobody is chosen who is in the other campaign too.
        let subscriptions = Dictionary(grouping: ledger.extendable, by: \.accountID)
        let members = ledger.extendable.filter(terms.concern)
        let chosen = members.filter { subscriptions[$0.accountID]?.count == 1 }.prefix(Self.tenth(of: members.count))
        for entry in chosen {
            for number in 1...2 {
                _ = try await extend(entry.id, days: 1, reason: "satisfaction", key: "demo-\(entry.id)-\(number)")
            }
        }
    }

    /// Moves the clock by a second, so that the server works, until a step of a campaign is done.
    private func wait(
        for id: String,
        _ simulation: inout DemoSimulation,
        until isDone: (ServedCampaign) -> Bool
    ) async throws {
        for step in 1...Self.secondsMax {
            try await simulation.advance(by: Self.second)
            if isDone(try await server.campaign(id)) { return }
            // Another task of the server may be at work on it.
            if step > 2 { try await Task.sleep(for: .milliseconds(100)) }
        }
        throw RunError(.failed, "the server did nothing for campaign \(id) in \(Self.secondsMax) seconds of its clock")
    }

    /// Moves the clock by hours until all campaigns are finished.
    ///
    /// - Returns: The hours that each took.
    private func finish(_ ids: [String], _ simulation: inout DemoSimulation) async throws -> [String: Int] {
        var finished: [String: Int] = [:]
        for hours in 1...Self.hoursMax {
            try await simulation.advance(by: Self.hour)
            for id in ids where finished[id] == nil {
                if try await server.campaign(id).isFinished { finished[id] = hours }
            }
            if finished.count == ids.count { return finished }
            progress.update("outage week, hour \(hours)")
            if hours >= Self.swiftHours { try await Task.sleep(for: .seconds(1)) }
        }
        let open = ids.filter { finished[$0] == nil }.joined(separator: ", ")
        throw RunError(
            .failed,
            "after \(Self.hoursMax) hours of its clock, the server has not finished campaign \(open)"
        )
    }

    /// Extends a member whose answer was lost, unless it ended meanwhile.
    ///
    /// - Returns: Whether it was extended.
    private func extendAgain(
        _ member: ServedExtension,
        of campaign: Approved,
        _ ledger: DemoLedger,
        _ report: inout DemoReport
    ) async throws -> Bool {
        let id = member.subscriptionId
        guard let entry = ledger.entries[id], entry.isExtendable else { return false }
        let key = "demo-\(campaign.id)-\(id)"
        let days = campaign.terms.days
        guard let made = try await extend(id, days: days, reason: campaign.terms.reason, key: key) else { return false }
        let account = try await store.account(entry.accountID)
        let end = account.subscriptions.first { $0.originalTransactionId == id }?.expiresDate
        var found = Findings(customer: "campaign \(campaign.id)")
        found.expect(end, made.periodEndsAt, "subscription \(id) extended alone")
        check.note(found.disagreements, in: &report)
        return true
    }

    /// Extends one subscription; nil if the server refuses it or does not know yet whether Apple did it.
    private func extend(_ id: String, days: Int, reason: String, key: String) async throws -> ServedExtension? {
        do {
            let made = try await server.extend(id, days: days, reason: reason, key: key)
            return made.isExtended ? made : nil
        } catch let error as RunError where error.code == .callRefused {
            return nil
        }
    }
}
