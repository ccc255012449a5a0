import PerennialCommandSupport

/// Compares all answers of the server with the store's ledger.
struct DemoLedgerCheck: Sendable {
    /// The number of concurrent requests.
    private static let concurrency = 8
    /// The maximum number of differences that are listed; the rest is counted.
    private static let reportedMax = 20
    /// One in this many notifications is compared byte for byte.
    private static let payloadEvery = 50

    let store: DemoStoreAPI
    let server: DemoServerAPI
    let progress: Progress

    /// Compares each account; adds the results to the report.
    func compare(_ shoppers: [DemoShopper], _ report: inout DemoReport) async throws {
        report.subscriptions = 0
        report.transactions = 0
        report.withAccess = 0
        let now = try await store.status().now
        try await withThrowingTaskGroup(of: Finding.self) { group in
            var remaining = shoppers.makeIterator()
            for _ in 0..<Self.concurrency {
                if let shopper = remaining.next() { group.addTask { try await compare(shopper, at: now) } }
            }
            while let finding = try await group.next() {
                report.compared += 1
                report.subscriptions += finding.subscriptions
                report.transactions += finding.transactions
                report.withAccess += finding.hasAccess ? 1 : 0
                note(finding.disagreements, in: &report)
                if let shopper = remaining.next() { group.addTask { try await compare(shopper, at: now) } }
            }
        }
    }

    /// Requests every notification of the store from the server, and the stored bytes of some.
    func compareNotifications(_ report: inout DemoReport) async throws {
        async let sentNotifications = store.notifications(payloadEvery: Self.payloadEvery)
        async let storedIDs = server.notificationIDs()
        let (sent, stored) = try await (sentNotifications, storedIDs)
        let missing = sent.filter { !stored.contains($0.notificationUUID) }
        for notification in missing.prefix(Self.reportedMax) {
            progress.log("missing: \(notification.notificationType) \(notification.notificationUUID)")
        }
        for notification in sent where stored.contains(notification.notificationUUID) {
            guard let sentPayload = notification.signedPayload else { continue }
            let storedPayload = try await server.signedPayload(ofNotification: notification.notificationUUID)
            guard storedPayload != sentPayload else { continue }
            report.disagreements += 1
            progress.log("disagreement: notification \(notification.notificationUUID) was not stored byte for byte")
        }
        report.notifications = DemoReport.Notifications(
            sent: sent.count,
            stored: sent.count - missing.count,
            missing: missing.count
        )
    }

    private struct Finding: Sendable {
        var subscriptions: Int
        var transactions: Int
        var hasAccess = false
        var disagreements: [Disagreement]
    }

    private func compare(_ shopper: DemoShopper, at now: Int64) async throws -> Finding {
        let ledger = try await store.account(shopper.accountID).running(at: now)
        // Requests create no customer: one whose purchases were all refused is unknown to the server.
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

    /// Counts differences in the report, and lists the first ones.
    func note(_ disagreements: [Disagreement], in report: inout DemoReport) {
        for disagreement in disagreements.prefix(max(0, Self.reportedMax - report.disagreements)) {
            progress.log("disagreement: \(disagreement)")
        }
        report.disagreements += disagreements.count
    }
}

extension AccountComparison {
    /// The entitlements of the demo's app.
    static let demoEntitlements: [String: Set<String>] = [
        "pro": ["pro.weekly", "pro.monthly", "pro.yearly", "lifetime"],
        "plus": ["plus.monthly"],
    ]
}
