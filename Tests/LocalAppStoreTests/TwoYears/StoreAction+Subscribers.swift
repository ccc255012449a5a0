import AppStoreModel
import LocalAppStore

extension StoreAction {
    static let subscribers: [StoreAction] = [
        StoreAction("setPayment: a card is declined", copies: 5) { driver in
            let held = try driver.activeSubscription()
            try driver.store.setPayment(accountId: held.accountId, state: .declined)
            return held.accountId
        },
        StoreAction("setPayment: a card works again", copies: 2) { driver in
            let held = try driver.subscription { $0.isPlain && $0.isInBillingRetryPeriod }
            try driver.store.setPayment(accountId: held.accountId, state: .ok)
            return held.accountId
        },
        StoreAction("setPayment: an attempt succeeds although the card stays declined", copies: 3) { driver in
            let held = try driver.activeSubscription()
            let attempt = try driver.pick([1, 2, 5, 8, 11])
            try driver.store.setPayment(accountId: held.accountId, state: .declined, recoversAfter: attempt)
            return "\(held.accountId) \(attempt)"
        },
        StoreAction("changePlan", copies: 3) { driver in
            let held = try driver.activeSubscription { $0.subscriptionGroupIdentifier == "1" }
            let plans = ["gold", "silver", "silver.yearly", "bronze"].filter { $0 != held.subscription.productId }
            return try driver.change(held, to: try driver.pick(plans))
        },
        StoreAction("changePlan: of a family") { driver in
            let held = try driver.activeSubscription { $0.productId == "home.monthly" }
            return try driver.change(held, to: try driver.pick(["home.yearly", "home.weekly"]))
        },
        StoreAction("changePlan: cancel the change") { driver in
            let held = try driver.newSubscription(to: "gold")
            _ = try driver.change(held, to: "bronze")
            return try driver.change(held, to: "gold")
        },
        StoreAction("changePlan: in billing retry") { driver in
            let held = try driver.subscription { $0.isPlain && $0.isInBillingRetryPeriod }
            let change = try driver.store.changePlan(
                originalTransactionId: held.id,
                productId: held.subscription.productId,
                fixesPayment: true
            )
            return "\(change.kind.rawValue) \(change.purchase.line)"
        },
        StoreAction("setAutoRenew: off", copies: 4) { driver in
            let held = try driver.activeSubscription { $0.autoRenewStatus == .on }
            return try driver.setAutoRenew(of: held, to: false)
        },
        StoreAction("setAutoRenew: on") { driver in
            let held = try driver.newSubscription(to: "bronze")
            _ = try driver.setAutoRenew(of: held, to: false)
            return try driver.setAutoRenew(of: held, to: true)
        },
        StoreAction("setAutoRenew: off in billing retry") { driver in
            let held = try driver.subscription { $0.isPlain && $0.isInBillingRetryPeriod }
            return try driver.setAutoRenew(of: held, to: false)
        },
        StoreAction("setAutoRenew: of a commitment") { driver in
            let held = try driver.commitment()
            return try driver.setAutoRenew(of: held, to: false)
        },
        StoreAction("setStorefront") { driver in
            let held = try driver.activeSubscription()
            let country = try driver.pick(["USA", "FRA", "GBR", "JPN", "CHE"])
            try driver.store.setStorefront(accountId: held.accountId, storefront: country)
            return "\(held.accountId) \(country)"
        },
        StoreAction("rescindConsent") { driver in
            let accountId = try driver.newAccount()
            try driver.store.rescindConsent(accountId: accountId)
            return accountId
        },
        StoreAction("changePrice: with consent", copies: 2) { driver in
            try driver.changePrice(of: try driver.pick(["gold", "bronze", "silver"]), needsConsent: true, isRise: true)
        },
        StoreAction("changePrice: without consent") { driver in
            try driver.changePrice(of: try driver.pick(["gold", "plus"]), needsConsent: false, isRise: true)
        },
        StoreAction("changePrice: by Apple's rule, later, in one country") { driver in
            let request = PriceChangeRequest(
                productId: "home.weekly",
                price: 3_490 + driver.number(below: 100) * 10,
                storefront: "FRA",
                effectiveDate: driver.store.now + 20 * dayLength
            )
            return "\(try driver.store.changePrice(request))"
        },
        StoreAction("changePrice: lower") { driver in
            try driver.changePrice(of: try driver.pick(["gold", "silver", "plus"]), needsConsent: nil, isRise: false)
        },
        StoreAction("changePrice: of a plan that is only chosen, between two reads") { driver in
            let held = try driver.newSubscription(to: "gold")
            _ = try driver.change(held, to: "bronze")
            let before = try driver.store.subscriptionStatuses(anyTransactionId: held.id).line
            let change = try driver.changePrice(of: "bronze", needsConsent: nil, isRise: false)
            let after = try driver.store.subscriptionStatuses(anyTransactionId: held.id).line
            return "\(before) \(change) \(after)"
        },
        StoreAction("changePrice: for new customers only") { driver in
            let request = PriceChangeRequest(
                productId: "home.monthly",
                price: 10_990 + driver.number(below: 100) * 10,
                preserve: true
            )
            return "\(try driver.store.changePrice(request))"
        },
        StoreAction("answerPriceIncrease: agree") { driver in
            let held = try driver.askedSubscription()
            try driver.store.answerPriceIncrease(originalTransactionId: held.id, accept: true)
            return held.id
        },
        StoreAction("answerPriceIncrease: refuse") { driver in
            let held = try driver.askedSubscription()
            try driver.store.answerPriceIncrease(originalTransactionId: held.id, accept: false)
            return held.id
        },
        StoreAction("extendRenewalDate", copies: 2, endpoint: .extendSubscriptionRenewalDate) { driver in
            let held = try driver.activeSubscription { $0.price > 0 }
            return try driver.extend(held.id, byDays: Int32(1 + driver.number(below: 30)))
        },
        StoreAction("extendRenewalDate: until the limit", endpoint: .extendSubscriptionRenewalDate) { driver in
            let held = try driver.newSubscription(to: "bronze")
            _ = try driver.extend(held.id, byDays: 1)
            return try driver.extend(held.id, byDays: 1)
        },
        StoreAction("extendRenewalDates", endpoint: .extendSubscriptionRenewalDatesForAllActiveSubscribers) { driver in
            // Those who were extended twice before are part of the order, and fail.
            let request = MassExtendRenewalDateRequest(
                requestIdentifier: driver.nextUUID(),
                extendByDays: 3,
                extendReasonCode: .serviceIssueOrOutage,
                productId: try driver.pick(["bronze", "gold"]),
                storefrontCountryCodes: try driver.pick([nil, ["USA", "FRA"]])
            )
            return try driver.store.extendRenewalDates(request: request).line
        },
        StoreAction("setAppAccountToken", endpoint: .setAppAccountToken) { driver in
            let held = try driver.activeSubscription()
            let token = driver.nextUUID()
            try driver.store.setAppAccountToken(originalTransactionId: held.id, token: token)
            return "\(held.id) \(token)"
        },
    ]
}

extension TwoYearsDriver {
    /// The subscription of a new account.
    mutating func newSubscription(to productId: String) throws -> Held {
        let accountId = try newAccount()
        let id = try buy(productId, for: accountId).originalTransactionId
        return try held(id, by: accountId)
    }

    /// A subscription in monthly payments, of a new account.
    fileprivate mutating func commitment() throws -> Held {
        let accountId = try newAccount(in: "FRA")
        let outcome = try buy("silver.yearly", for: accountId, billingPlan: .monthly)
        return try held(outcome.originalTransactionId, by: accountId)
    }

    fileprivate mutating func change(_ held: Held, to productId: String) throws -> String {
        let change = try store.changePlan(originalTransactionId: held.id, productId: productId)
        let refund = change.proratedRefund.map { "\($0)" } ?? "-"
        return "\(change.kind.rawValue) from \(change.effectiveDate), refund \(refund) \(change.purchase.line)"
    }

    fileprivate mutating func setAutoRenew(of held: Held, to isOn: Bool) throws -> String {
        try store.setAutoRenew(originalTransactionId: held.id, enabled: isOn)
        return held.id
    }

    /// Raises or lowers a price from now on, for everyone.
    fileprivate mutating func changePrice(
        of productId: String,
        needsConsent: Bool?,
        isRise: Bool
    ) throws -> String {
        // The prices of a product rise with the years, so that a rise is one for most subscribers.
        let price = isRise ? 20_000 + Int64(nextNumber()) * 10 : 490 + number(below: 100) * 10
        let request = PriceChangeRequest(productId: productId, price: price, needsConsent: needsConsent)
        return "\(productId) \(price) from \(try store.changePrice(request))"
    }

    /// A subscription whose customer was asked to agree to a higher price: an older one, or else a new one.
    fileprivate mutating func askedSubscription() throws -> Held {
        try askedSubscription(where: { $0.isPlain }) { driver in
            _ = try driver.newSubscription(to: "gold")
            _ = try driver.changePrice(of: "gold", needsConsent: true, isRise: true)
        }
    }

    /// Extends the current period of a subscription.
    mutating func extend(_ originalTransactionId: String, byDays days: Int32) throws -> String {
        let request = ExtendRenewalDateRequest(
            extendByDays: days,
            extendReasonCode: .customerSatisfaction,
            requestIdentifier: nextUUID()
        )
        return try store.extendRenewalDate(originalTransactionId: originalTransactionId, request: request).line
    }
}
