/// Compares what the server says about a finished campaign with the store's ledger.
struct DemoCampaignCheck: Sendable {
    let terms: DemoCampaignTerms
    let campaign: ServedCampaign
    let members: [ServedExtension]
    /// The ledger at the dry run.
    let tried: DemoLedger
    /// The ledger before Apple was asked.
    let before: DemoLedger
    /// The ledger when the campaign was finished.
    let after: DemoLedger

    /// All differences; empty if they agree.
    func disagreements() -> [Disagreement] {
        var found = Findings(customer: "campaign \(campaign.id)")
        found.expect("finished", campaign.state, "state")
        compareDryRun(&found)
        let extended = after.extended(since: before)
        compareCounts(&found)
        compareMembers(extended, &found)
        compareTotals(extended, &found)
        return found.disagreements
    }

    /// The counts of the dry run: who can be extended, and who cannot and why.
    private func compareDryRun(_ found: inout Findings) {
        let concerned = tried.entries.values.filter(terms.concern)
        let eligible = concerned.filter(\.isExtendable)
        found.expect(eligible.count, campaign.dryRun?.eligible, "dry_run eligible")
        let storefronts = Dictionary(grouping: eligible, by: \.storefront).mapValues(\.count)
        found.expect(storefronts, campaign.dryRun?.storefronts, "dry_run storefronts")
        let obstacles = concerned.compactMap(\.extensionObstacle)
            .reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        found.expect(obstacles, campaign.dryRun?.ineligible, "dry_run ineligible")
    }

    /// The counts of the campaign with the list of its members.
    private func compareCounts(_ found: inout Findings) {
        let counts = campaign.counts
        let results = members.reduce(into: [String: Int]()) { $0[$1.state, default: 0] += 1 }
        found.expect(members.count, counts.members, "counts members")
        found.expect(results["extended"] ?? 0, counts.extended, "counts extended")
        let refused = (results["refused"] ?? 0) + (results["skipped"] ?? 0)
        found.expect(refused, counts.refused, "counts failed")
        found.expect(results["unknown"] ?? 0, counts.unknown, "counts unknown")
        let finished = counts.extended + counts.refused + counts.unknown
        found.expect(counts.members, finished, "members with a result")
    }

    /// Each member with its periods in the ledger.
    private func compareMembers(_ extended: Set<String>, _ found: inout Findings) {
        for member in members {
            let name = "subscription \(member.subscriptionId)"
            if !isUndecided(member) {
                found.expect(extended.contains(member.subscriptionId), member.isExtended, "\(name) extended")
            }
            guard member.isExtended else { continue }
            let end = after.periodEnd(of: member.transactionId)
            found.expect(end, member.periodEndsAt, "\(name) period_ends_at")
            guard let end, let former = before.periodEnd(of: member.transactionId) else { continue }
            found.expect(end - former, Int64(terms.days) * DemoLedger.dayMilliseconds, "\(name) extend_by_days")
        }
    }

    /// Whether the server rightly does not know if Apple extended the member: it was renewed while Apple carried out
    /// the order.
    private func isUndecided(_ member: ServedExtension) -> Bool {
        terms.method == .mass && member.state == "unknown" && after.hasRenewed(member.subscriptionId, since: before)
    }

    /// The counts with all that was extended in the ledger.
    private func compareTotals(_ extended: Set<String>, _ found: inout Findings) {
        let total = extended.compactMap { after.entries[$0] }.count { $0.isPurchased && terms.concern($0) }
        let counts = campaign.counts
        switch terms.method {
        case .single: found.expect(total, counts.extended, "extended subscriptions")
        case .mass:
            // Apple's order also extends who became a customer after the start.
            let alone = counts.extended - counts.extendedByOrder
            for order in campaign.orders ?? [] where order.state == "complete" {
                found.expect(total - alone, order.succeeded, "order succeeded")
            }
        }
    }
}
