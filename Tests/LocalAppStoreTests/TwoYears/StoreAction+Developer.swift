import AppStoreModel
import LocalAppStore
import PerennialPrimitives

extension StoreAction {
    static let externalPurchases: [StoreAction] = [
        StoreAction("createExternalPurchaseToken", copies: 2) { driver in
            let type: ExternalPurchaseTokenType? = try driver.pick([nil, .services, .acquisition, .coreTechnology])
            let account = try driver.newAccount()
            let token = try driver.store.createExternalPurchaseToken(accountId: account, type: type)
            return driver.store.payload(of: token).line
        },
        StoreAction("sendExternalPurchaseReport", endpoint: .sendExternalPurchaseReport) { driver in
            try driver.report("NO_LINE_ITEM", lineItems: [])
        },
        StoreAction(
            "sendExternalPurchaseReport: with purchases",
            copies: 2,
            endpoint: .sendExternalPurchaseReport
        ) { driver in
            let date = JSONValue.integer(driver.store.now)
            let item = LineItems.oneTimeBuy(driver.nextUUID(), ["creationDate": date])
            return try driver.report("LINE_ITEM", lineItems: [item])
        },
    ]

    static let developer: [StoreAction] = [
        StoreAction("replaceCatalog: a product less") { driver in
            // Its subscribers lose it at their next renewal, after which it is sold again.
            _ = try driver.newSubscription(to: "home.weekly")
            driver.store.replaceCatalog(try TwoYearsCatalog.catalog(hasWeekly: false))
            return "without home.weekly"
        },
        StoreAction("replaceCatalog") { driver in
            driver.store.replaceCatalog(try TwoYearsCatalog.catalog())
            return "all products"
        },
        StoreAction("replaceSettings") { driver in
            var settings = driver.run.settings
            settings.gracePeriod = try driver.pick(StoreSettings.GracePeriod.allCases)
            settings.sandboxRenewalRate = try driver.pick(SandboxRenewalRate.allCases)
            settings.defaultStorefront = try driver.pick(["USA", "DEU"])
            try driver.store.replaceSettings(settings)
            return "\(settings.gracePeriod.rawValue) \(settings.sandboxRenewalRate.rawValue)"
        },
        StoreAction("setNotificationEndpoint") { driver in
            try driver.store.setNotificationEndpoint(url: TwoYearsDriver.notificationURL, version: .v2)
            return "version 2"
        },
        StoreAction("setNotificationEndpoint: version 1") { driver in
            try driver.store.setNotificationEndpoint(url: TwoYearsDriver.notificationURL, version: .v1)
            let home = try driver.newSubscription(to: "home.monthly")
            let coins = try driver.buy("coins", for: home.accountId)
            try driver.store.setAutoRenew(originalTransactionId: home.id, enabled: false)
            try driver.store.refund(transactionId: coins.transactionId)
            try driver.advance(to: driver.store.now + (driver.run.profile == .sandbox ? 30_000 : 2 * dayLength))
            try driver.store.setNotificationEndpoint(url: TwoYearsDriver.notificationURL, version: .v2)
            return "version 1 for a while"
        },
        StoreAction("setNotificationEndpoint: none") { driver in
            try driver.store.setNotificationEndpoint(url: nil)
            let outcome = try driver.buy("coins", for: try driver.newAccount())
            try driver.store.setNotificationEndpoint(url: TwoYearsDriver.notificationURL, version: .v2)
            return outcome.line
        },
        StoreAction("replaceFaults", copies: 3) { driver in
            driver.noteFaults()
            driver.store.replaceFaults(try driver.newFaults())
            return "\(driver.store.faults.deliveries.count) of deliveries"
        },
        StoreAction("setReceiptFault") { driver in
            let status = try driver.pick([21_002, 21_005, 21_009, 21_100] as [Int64])
            driver.store.setReceiptFault(try ReceiptFault(status: status, count: 1))
            let answer = driver.store.verifyReceipt(nil)
            driver.noteReceiptFault()
            return String(decoding: answer.serialize(), as: UTF8.self)
        },
        StoreAction("populate: with notifications") { driver in
            let months = driver.run.profile == .sandbox ? 1 : 3
            return try driver.populate(accounts: 2, months: months, isDelivered: true)
        },
        StoreAction("populate: without notifications") { driver in
            try driver.populate(accounts: 3, months: 4, isDelivered: false)
        },
    ]
}

extension TwoYearsDriver {
    /// Reports about a new token.
    fileprivate mutating func report(_ status: String, lineItems: [JSONValue]) throws -> String {
        let token = try store.createExternalPurchaseToken(accountId: try newAccount(), type: .services)
        var report = LineItems.report(token, status)
        report["requestIdentifier"] = .string(nextUUID())
        if !lineItems.isEmpty { report["lineItems"] = .array(lineItems) }
        return try store.sendExternalPurchaseReport(report).line
    }

    /// Some faults of each place; each occurs once, or by chance.
    fileprivate mutating func newFaults() throws -> FaultPlan {
        var deliveries: [FaultRule<DeliveryFault, NotificationType>] = []
        for fault in DeliveryFault.examples {
            let frequency: FaultFrequency = occurs(oneOf: 2) ? .count(1) : .probability(0.05)
            deliveries.append(FaultRule(fault, frequency: frequency))
        }
        let calls = APIFault.examples.map { fault in
            FaultRule<APIFault, AppStoreServerCall.Identifier>(fault, frequency: .count(1))
        }
        let realtime = DeliveryFault.examples.map {
            FaultRule<DeliveryFault, RealtimePurpose>($0, frequency: .count(1))
        }
        return FaultPlan(deliveries: deliveries, calls: calls, realtime: realtime, seed: dice.next())
    }

    /// Adds synthetic customers who do everything that they can do.
    fileprivate mutating func populate(accounts: Int, months: Int, isDelivered: Bool) throws -> String {
        var behaviour = PopulationBehaviour()
        behaviour.oneTimePurchases = 0.5
        behaviour.families = 0.5
        behaviour.billingFailures = 0.2
        behaviour.refunds = 0.1
        behaviour.upgrades = 0.2
        behaviour.downgrades = 0.2
        let report = try store.populate(
            PopulationRequest(
                accounts: accounts,
                months: months,
                seed: dice.next(),
                behaviour: behaviour,
                isDelivered: isDelivered
            )
        )
        return "\(report.accounts) \(report.subscriptions) \(report.transactions) until \(report.endDate)"
    }
}
