import PerennialCommandSupport

/// Compares everything that the server answers with the store's ledger.
struct DemoAudit: Sendable {
    /// Accounts that are asked about at the same time.
    private static let concurrency = 8
    /// Differences that are told one by one; the rest are counted.
    private static let reportedMax = 20
    /// One notification in so many is compared byte for byte.
    private static let payloadEvery = 50

    let store: DemoStoreAPI
    let server: DemoServerAPI
    let progress: Progress

    /// Compares each account; adds what it found to the report.
    func compare(_ shoppers: [DemoShopper], _ report: inout DemoReport) async throws {
        report.subscriptions = 0
        report.transactions = 0
        report.withAccess = 0
        try await withThrowingTaskGroup(of: Finding.self) { group in
            var waiting = shoppers.makeIterator()
            for _ in 0..<Self.concurrency {
                if let shopper = waiting.next() { group.addTask { try await compare(shopper) } }
            }
            while let finding = try await group.next() {
                report.compared += 1
                report.subscriptions += finding.subscriptions
                report.transactions += finding.transactions
                report.withAccess += finding.hasAccess ? 1 : 0
                tell(finding.disagreements, before: report.disagreements)
                report.disagreements += finding.disagreements.count
                if let shopper = waiting.next() { group.addTask { try await compare(shopper) } }
            }
        }
    }

    /// Asks the server for every notification that the store made, and for the kept bytes of some.
    func compareNotifications(_ report: inout DemoReport) async throws {
        async let sent = store.notifications(payloadEvery: Self.payloadEvery)
        async let held = server.notificationIDs()
        let (made, known) = try await (sent, held)
        let missing = made.filter { !known.contains($0.notificationUUID) }
        for notification in missing.prefix(Self.reportedMax) {
            progress.say("missing: \(notification.notificationType) \(notification.notificationUUID)")
        }
        for notification in made where known.contains(notification.notificationUUID) {
            guard let sent = notification.signedPayload else { continue }
            let kept = try await server.signedPayload(ofNotification: notification.notificationUUID)
            guard kept != sent else { continue }
            report.disagreements += 1
            progress.say("disagreement: notification \(notification.notificationUUID) was not kept byte for byte")
        }
        report.notifications = DemoReport.Notifications(
            sent: made.count,
            held: made.count - missing.count,
            missing: missing.count
        )
    }

    private struct Finding: Sendable {
        var subscriptions: Int
        var transactions: Int
        var hasAccess = false
        var disagreements: [Disagreement]
    }

    private func compare(_ shopper: DemoShopper) async throws -> Finding {
        let ledger = try await store.account(shopper.accountID)
        // Nobody is created by asking: somebody whose every purchase was refused is unknown to the server.
        guard !ledger.transactions.isEmpty else { return Finding(subscriptions: 0, transactions: 0, disagreements: []) }
        let customer = try await server.customer(shopper.appUserID)
        let entitlements = try await server.entitlements(shopper.appUserID)
        let comparison = AccountComparison(
            customer: shopper.appUserID,
            ledger: ledger,
            definitions: AccountComparison.demoEntitlements
        )
        return Finding(
            subscriptions: ledger.subscriptions.count,
            transactions: ledger.transactions.count,
            hasAccess: entitlements.entitlements.values.contains(where: \.active),
            disagreements: comparison.disagreements(with: customer, and: entitlements)
        )
    }

    private func tell(_ disagreements: [Disagreement], before: Int) {
        for disagreement in disagreements.prefix(max(0, Self.reportedMax - before)) {
            progress.say("disagreement: \(disagreement)")
        }
    }
}

extension AccountComparison {
    /// What the demo's app sells access to.
    static let demoEntitlements: [String: Set<String>] = [
        "pro": ["pro.weekly", "pro.monthly", "pro.yearly", "lifetime"],
        "plus": ["plus.monthly"],
    ]
}
