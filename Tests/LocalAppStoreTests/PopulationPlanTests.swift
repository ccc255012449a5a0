import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Changes of plan and families in populations` {
    /// Customers who stay forever, except for a test's probabilities.
    private func faithful(_ change: (inout PopulationBehaviour) -> Void) -> PopulationBehaviour {
        var behaviour = PopulationBehaviour()
        (behaviour.oneTimePurchases, behaviour.trialConversion, behaviour.refunds) = (0, 1, 0)
        (behaviour.billingFailures, behaviour.resubscriptions) = (0, 0)
        (behaviour.churn.weekly, behaviour.churn.monthly, behaviour.churn.yearly) = (0, 0, 0)
        (behaviour.upgrades, behaviour.downgrades, behaviour.crossgrades) = (0, 0, 0)
        change(&behaviour)
        return behaviour
    }

    private func accounts(of store: LocalAppStore) throws -> [AccountReport] {
        var accounts: [AccountReport] = []
        var cursor: String?
        repeat {
            let page = try store.accounts(after: cursor, limit: 1_000)
            accounts += page.accounts
            cursor = page.nextCursor
        } while cursor != nil
        return accounts
    }

    /// The accounts of a population of a year without notifications, or of one with notifications after its end.
    private func played(
        _ behaviour: PopulationBehaviour,
        accounts count: Int,
        months: Int = 12,
        isDelivered: Bool = false,
        seed: UInt64 = 5
    ) throws -> (accounts: [AccountReport], transcript: StoreTranscript) {
        var transcript = try StoreTranscript(at: try at("2027-03-01"))
        let request = PopulationRequest(
            accounts: count,
            months: months,
            seed: seed,
            behaviour: behaviour,
            isDelivered: isDelivered
        )
        let report = try transcript.store.populate(request)
        if isDelivered { try transcript.advance(to: report.endDate) }
        return (try accounts(of: transcript.store), transcript)
    }

    /// Expects a share of a number of draws, within four standard deviations.
    private func expect(_ count: Int, of draws: Int, toBe share: Double, _ what: Comment) {
        let expected = Double(draws) * share
        #expect(draws > 200, what)
        #expect(abs(Double(count) - expected) <= 4 * (expected * (1 - share)).squareRoot() + 1, what)
    }

    @Test(arguments: [0.05, 0.2])
    func `subscribers of a lower plan upgrade with the configured probability`(share: Double) throws {
        let (all, _) = try played(faithful { $0.upgrades = share }, accounts: 400)
        let weekly = all.flatMap(\.transactions).filter { $0.productId == "pro.weekly" }
        // Customers who did not upgrade in a new period may still do so.
        let settled = weekly.filter { $0.purchaseDate <= 1_800_000_000_000 }
        let upgraded = settled.filter(\.isUpgraded)
        let times = upgraded.allSatisfy { ($0.proratedRefund ?? -1) >= 0 && ($0.proratedRefund ?? 0) <= $0.price }
        #expect(times)
        expect(upgraded.count, of: settled.count, toBe: share, "\(upgraded.count) of \(settled.count)")
        for account in all {
            for (old, new) in zip(account.transactions, account.transactions.dropFirst()) where old.isUpgraded {
                #expect(["pro.monthly", "pro.yearly"].contains(new.productId) && new.transactionReason == .purchase)
            }
        }
    }

    @Test func `subscribers of a higher plan downgrade at the end of the period with the configured probability`()
        throws
    {
        let (all, _) = try played(faithful { $0.downgrades = 0.15 }, accounts: 400)
        var (downgrades, periods) = (0, 0)
        for account in all {
            for (old, new) in zip(account.transactions, account.transactions.dropFirst())
            where old.productId == "pro.monthly" && old.price > 0 {
                periods += 1
                guard new.productId != old.productId else { continue }
                downgrades += 1
                #expect(new.productId == "pro.weekly" && new.purchaseDate == old.expiresDate)
                #expect(new.transactionReason == .renewal && !old.isUpgraded)
            }
        }
        expect(downgrades, of: periods, toBe: 0.15, "\(downgrades) of \(periods)")
    }

    @Test func `changes between plans of one level happen, some immediately and some at the renewal`() throws {
        let (all, _) = try played(faithful { $0.crossgrades = 0.3 }, accounts: 100)
        let moves = all.flatMap {
            zip($0.transactions, $0.transactions.dropFirst()).map { ($0.productId, $1.productId) }
        }
        #expect(moves.contains { $0 == ("pro.monthly", "pro.yearly") })
        #expect(!moves.contains { $0.0 == "pro.weekly" && $0.1 != "pro.weekly" })
    }

    @Test(arguments: [false, true])
    func `families are created and left with the configured probability, and share shareable products`(
        isDelivered: Bool
    ) throws {
        let behaviour = faithful {
            $0.families = 0.4
            $0.familyDepartures = 0.3
            $0.upgrades = 0.05
        }
        let count = isDelivered ? 60 : 700
        let (all, transcript) = try played(
            behaviour,
            accounts: count,
            months: isDelivered ? 4 : 12,
            isDelivered: isDelivered
        )
        let byId = Dictionary(all.map { ($0.accountId, $0) }, uniquingKeysWith: { first, _ in first })
        let members = Set(all.flatMap(\.familyMembers))
        let purchasers = all.filter { account in
            account.subscriptions.contains { $0.inAppOwnershipType == .purchased }
        }
        #expect(purchasers.count == count)
        #expect(members.isDisjoint(with: purchasers.map(\.accountId)))
        #expect(all.allSatisfy { $0.familyMembers.count <= 5 })
        for purchaser in purchasers {
            for member in try purchaser.familyMembers.map({ try #require(byId[$0]) }) {
                let shared = member.subscriptions.filter { $0.status == .active }
                let own = purchaser.subscriptions.filter { $0.status == .active && $0.productId != "pro.weekly" }
                #expect(shared.map(\.productId) == own.map(\.productId).filter { $0.hasPrefix("pro.") })
                #expect(shared.map(\.expiresDate) == own.filter { $0.productId.hasPrefix("pro.") }.map(\.expiresDate))
                #expect(member.transactions.allSatisfy { $0.price == 0 })
            }
        }
        let first = purchasers.compactMap { $0.transactions.first?.productId }
        if !isDelivered {
            let able = first.filter { ["pro.monthly", "pro.yearly"].contains($0) }.count
            // Few families become empty; the share is about their creation.
            let everShared = Set(
                all.filter { $0.subscriptions.contains { $0.inAppOwnershipType == .familyShared } }.map(\.accountId)
            )
            let sharing = everShared.count
            // One to five members each, three on average.
            #expect(abs(Double(sharing) / 3 - Double(able) * 0.4) < Double(able) * 0.1)
            #expect(transcript.store.status.notifications == 0)
        } else {
            var transcript = transcript
            let notifications = try transcript.newNotifications()
            #expect(notifications.contains { $0.hasPrefix("REVOKE") })
            #expect(notifications.contains("DID_CHANGE_RENEWAL_PREF/UPGRADE 1"))
        }
    }

    @Test func `the same seed gives the same changes and families`() throws {
        let behaviour = faithful {
            ($0.upgrades, $0.downgrades, $0.crossgrades) = (0.1, 0.1, 0.1)
            ($0.families, $0.familyDepartures) = (0.5, 0.2)
        }
        let runs = try (1...2).map { _ in try played(behaviour, accounts: 80).accounts }
        #expect(runs[0] == runs[1])
        #expect(try played(behaviour, accounts: 80, seed: 6).accounts != runs[0])
    }
}
