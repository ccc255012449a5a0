import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Populations of customers` {
    private func populated(
        _ request: PopulationRequest,
        at date: String = "2027-03-01"
    ) throws -> (store: LocalAppStore, report: PopulationReport) {
        var transcript = try StoreTranscript(at: try at(date))
        let report = try transcript.store.populate(request)
        return (transcript.store, report)
    }

    /// Every account of a store.
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

    @Test func `the same seed gives the same histories, another one others`() throws {
        let request = PopulationRequest(accounts: 150, months: 12, seed: 5)
        let first = try accounts(of: populated(request).store)
        #expect(first == (try accounts(of: populated(request).store)))
        var other = request
        other.seed = 6
        #expect(first != (try accounts(of: populated(other).store)))
    }

    @Test func `a population without notifications lies in the past, sends nothing, and does not move the clock`()
        throws
    {
        let now = try at("2027-03-01")
        let (store, report) = try populated(PopulationRequest(accounts: 200, months: 12, seed: 1))
        #expect(store.now == now)
        #expect(store.status.notifications == 0)
        #expect(report.accounts == 200)
        #expect(report.subscriptions >= 200)
        let all = try accounts(of: store)
        #expect(all.count == 200)
        let start = try at("2026-03-01")
        for transaction in all.flatMap(\.transactions) {
            #expect((start...now).contains(transaction.purchaseDate))
        }
        #expect(report.transactions == all.map(\.transactions.count).reduce(0, +))
    }

    @Test func `the periods of a synthetic subscription follow each other and never overlap`() throws {
        let (store, _) = try populated(PopulationRequest(accounts: 300, months: 24, seed: 11))
        for account in try accounts(of: store) {
            for subscription in account.subscriptions {
                let periods = account.transactions
                    .filter { $0.originalTransactionId == subscription.originalTransactionId }
                for (earlier, later) in zip(periods, periods.dropFirst()) {
                    // An upgrade shortens a period.
                    let cut = earlier.isUpgraded ? earlier.purchaseDate : .max
                    let end = min(earlier.expiresDate ?? 0, earlier.revocationDate ?? .max, cut)
                    #expect(later.purchaseDate >= end)
                }
                #expect(periods.last?.expiresDate == subscription.expiresDate)
                if subscription.status == .active { #expect(subscription.expiresDate > store.now) }
            }
        }
    }

    @Test func `a history without notifications is signed when it is read, and continues with the clock`() throws {
        var (store, _) = try populated(PopulationRequest(accounts: 40, months: 6, seed: 3))
        let account = try #require(try accounts(of: store).first { $0.subscriptions.last?.status == .active })
        let subscription = try #require(account.subscriptions.last)
        let statuses = try store.subscriptionStatuses(anyTransactionId: subscription.originalTransactionId)
        #expect(statuses.data.flatMap(\.lastTransactions).contains { $0.status == .active })
        try store.step(to: subscription.expiresDate)
        #expect(store.status.notifications > 0)
    }

    @Test func `probabilities are respected: all leave, none leaves, every card fails`() throws {
        var behaviour = PopulationBehaviour()
        behaviour.oneTimePurchases = 0
        behaviour.trialConversion = 0
        behaviour.refunds = 0
        behaviour.resubscriptions = 0
        behaviour.billingFailures = 0
        (behaviour.upgrades, behaviour.downgrades, behaviour.crossgrades) = (0, 0, 0)
        (behaviour.churn.weekly, behaviour.churn.monthly, behaviour.churn.yearly) = (1, 1, 1)
        var request = PopulationRequest(accounts: 60, months: 12, seed: 2, behaviour: behaviour)
        let allLeave = try accounts(of: populated(request).store)
        #expect(allLeave.allSatisfy { $0.transactions.count == 1 })

        behaviour.trialConversion = 1
        (behaviour.churn.weekly, behaviour.churn.monthly, behaviour.churn.yearly) = (0, 0, 0)
        request.behaviour = behaviour
        let noneLeaves = try accounts(of: populated(request).store)
        #expect(noneLeaves.flatMap(\.subscriptions).allSatisfy { $0.status == .active && $0.autoRenewStatus == .on })

        behaviour.billingFailures = 1
        behaviour.recoveries = 0
        request.behaviour = behaviour
        let allFail = try accounts(of: populated(request).store)
        #expect(allFail.allSatisfy { $0.transactions.count == 1 })
        #expect(allFail.contains { $0.subscriptions.first?.expirationIntent == .billingError })
    }

    @Test func `a population with notifications happens as the clock moves, and sends them`() throws {
        var transcript = try StoreTranscript(at: try at("2026-01-01"))
        let request = PopulationRequest(accounts: 30, months: 3, seed: 9, isDelivered: true)
        let report = try transcript.store.populate(request)
        #expect(report.accounts == 0)
        try transcript.advance(to: report.endDate)
        #expect(transcript.store.status.accounts == 30)
        let notifications = try transcript.newNotifications()
        #expect(notifications.filter { $0 == "SUBSCRIBED/INITIAL_BUY 1" }.count >= 30)
        #expect(notifications.contains { $0.hasPrefix("DID_RENEW") })
    }

    @Test(
        arguments: [
            (PopulationRequest(accounts: 0, months: 1, seed: 0), "accounts"),
            (PopulationRequest(accounts: 5_000_001, months: 1, seed: 0), "accounts"),
            (PopulationRequest(accounts: 1, months: 0, seed: 0), "months"),
            (PopulationRequest(accounts: 1, months: 121, seed: 0), "months"),
        ]
    )
    func `a population of an impossible size is refused`(request: PopulationRequest, path: String) throws {
        var transcript = try StoreTranscript(at: try at("2026-01-01"))
        let error = try #require(throws: StoreError.self) { try transcript.store.populate(request) }
        #expect(error.code == .populationInvalid)
        #expect(error.path == path)
    }

    @Test func `an invalid probability is refused by its name`() throws {
        var transcript = try StoreTranscript(at: try at("2026-01-01"))
        var request = PopulationRequest(accounts: 1, months: 1, seed: 0)
        request.behaviour.churn.monthly = 1.5
        let error = try #require(throws: StoreError.self) { try transcript.store.populate(request) }
        #expect(error.path == "behaviour.churn.monthly")
    }
}
