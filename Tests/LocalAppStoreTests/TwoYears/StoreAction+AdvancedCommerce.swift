import AppStoreModel
import AppStoreSigning
import LocalAppStore

extension StoreAction {
    static let advancedCommerce: [StoreAction] = [
        StoreAction("purchaseWithAdvancedCommerce", copies: 2) { driver in try driver.newBundle().line },
        StoreAction("purchaseWithAdvancedCommerce: with an offer") { driver in
            let offer = AdvancedCommerceShop.offer(0, "P1M")
            return try driver.newBundle(["items": [AdvancedCommerceShop.item("news", 6_000, offer: offer)]]).line
        },
        StoreAction("purchaseWithAdvancedCommerce: once") { driver in try driver.newCharge().line },
        StoreAction("purchaseWithAdvancedCommerce: add an item") { driver in
            let item = AdvancedCommerceShop.item("music", 3_000)
            return try driver.modify(["addItems": [item], "retainBillingCycle": true]).line
        },
        StoreAction("purchaseWithAdvancedCommerce: change items") { driver in
            let changes: [JSONValue] = [
                AdvancedCommerceShop.change("news", to: "papers", 8_000, "IMMEDIATELY", "UPGRADE"),
                AdvancedCommerceShop.change("sport", to: "chess", 1_000, "NEXT_BILL_CYCLE", "DOWNGRADE"),
            ]
            return try driver.modify(["changeItems": .array(changes), "retainBillingCycle": true]).line
        },
        StoreAction("purchaseWithAdvancedCommerce: another period, with fewer items") { driver in
            let change = AdvancedCommerceShop.change("news", to: "news", 60_000, "NEXT_BILL_CYCLE", "UPGRADE")
            return try driver.modify([
                "periodChange": ["period": "P1Y", "effective": "NEXT_BILL_CYCLE"],
                "changeItems": [change], "removeItems": [["SKU": "sport"]], "retainBillingCycle": true,
                "descriptors": ["displayName": "Year", "effective": "NEXT_BILL_CYCLE"],
            ]).line
        },
        StoreAction("cancelAdvancedCommerceSubscription", endpoint: .cancelSubscription) { driver in
            let (id, body) = (try driver.bundle(), driver.body())
            return try driver.store.cancelAdvancedCommerceSubscription(transactionId: id, body: body).line
        },
        StoreAction("changeAdvancedCommerceMetadata", endpoint: .changeSubscriptionMetadata) { driver in
            let id = try driver.bundle()
            let body = driver.body([
                "descriptors": ["effective": "IMMEDIATELY", "displayName": "Duo"], "taxCode": "C003-00-9",
            ])
            return try driver.store.changeAdvancedCommerceMetadata(transactionId: id, body: body).line
        },
        StoreAction("changeAdvancedCommercePrice: lower", endpoint: .changeSubscriptionPrice) { driver in
            let id = try driver.newBundle().transactionId
            let body = driver.body(["items": [["SKU": "news", "price": 5_000]]])
            return try driver.store.changeAdvancedCommercePrice(transactionId: id, body: body).line
        },
        StoreAction("changeAdvancedCommercePrice: higher", endpoint: .changeSubscriptionPrice) { driver in
            try driver.raiseBundle().line
        },
        StoreAction("answerPriceIncrease: of Advanced Commerce") { driver in
            let id = try driver.askedBundle()
            try driver.store.answerPriceIncrease(originalTransactionId: id, accept: true)
            return id
        },
        StoreAction("revokeAdvancedCommerceSubscription", endpoint: .revokeSubscription) { driver in
            let id = try driver.newBundle().transactionId
            let body = driver.body([
                "refundReason": "LEGAL", "refundType": "PRORATED", "refundRiskingPreference": false,
            ])
            return try driver.store.revokeAdvancedCommerceSubscription(transactionId: id, body: body).line
        },
        StoreAction("requestAdvancedCommerceRefund: an item", endpoint: .requestTransactionRefund) { driver in
            let id = try driver.newBundle().transactionId
            let items: JSONValue = [AdvancedCommerceShop.refund("news")]
            let body = driver.body(["items": items, "refundRiskingPreference": false])
            return try driver.store.requestAdvancedCommerceRefund(transactionId: id, body: body).line
        },
        StoreAction("requestAdvancedCommerceRefund: a charge", endpoint: .requestTransactionRefund) { driver in
            let id = try driver.newCharge().transactionId
            let change: [String: JSONValue?] = ["refundType": "CUSTOM", "refundAmount": 9_990, "revoke": false]
            let items: JSONValue = [AdvancedCommerceShop.refund("course", change)]
            let body = driver.body(["items": items, "refundRiskingPreference": true])
            return try driver.store.requestAdvancedCommerceRefund(transactionId: id, body: body).line
        },
        StoreAction("extendRenewalDate: after the refund of an item", endpoint: .extendSubscriptionRenewalDate) {
            driver in
            let id = try driver.newBundle().transactionId
            let items: JSONValue = [AdvancedCommerceShop.refund("news")]
            let body = driver.body(["items": items, "refundRiskingPreference": false])
            _ = try driver.store.requestAdvancedCommerceRefund(transactionId: id, body: body)
            return try driver.extend(id, byDays: 5)
        },
        StoreAction("extendRenewalDate: after a new item", endpoint: .extendSubscriptionRenewalDate) { driver in
            let item = AdvancedCommerceShop.item("music", 3_000)
            let outcome = try driver.modify(["addItems": [item], "retainBillingCycle": true])
            return try driver.extend(outcome.originalTransactionId, byDays: 5)
        },
        StoreAction("migrateToAdvancedCommerce", endpoint: .migrateSubscription) { driver in
            let id = try driver.newSubscription(to: "bronze").id
            let body = driver.body([
                "targetProductId": "bundle", "taxCode": "C003-00-2",
                "descriptors": ["description": "Two channels", "displayName": "Bundle"],
                "items": [
                    ["SKU": "news", "description": "All the news", "displayName": "News"],
                    ["SKU": "sport", "description": "All the sport", "displayName": "Sport"],
                ],
            ])
            return try driver.store.migrateToAdvancedCommerce(transactionId: id, body: body).line
        },
    ]
}

// A request names the currency and the storefront of its customer, so these customers live in the United States.

extension TwoYearsDriver {
    /// A body with a new identification, plus other members.
    fileprivate mutating func body(_ members: [String: JSONValue] = [:]) -> JSONObject {
        var body: JSONObject = ["requestInfo": requestInfo()]
        for (key, value) in members.sorted(by: { $0.key < $1.key }) { body[key] = value }
        return body
    }

    private mutating func requestInfo() -> JSONValue { ["requestReferenceId": .string(nextUUID())] }

    /// Buys with a signed request.
    private mutating func buy(
        _ request: JSONObject,
        as productId: String,
        for accountId: String
    ) throws -> PurchaseOutcome {
        let claims = AdvancedCommerceSignedRequest(request)
        let jws = try requestSigner.sign(claims, nonce: nextNonce(), at: store.now)
        return try store.purchaseWithAdvancedCommerce(accountId: accountId, productId: productId, request: jws)
    }

    /// A new account's subscription of two items, 6 and 4 dollars a month.
    fileprivate mutating func newBundle(_ changes: [String: JSONValue] = [:]) throws -> PurchaseOutcome {
        var request: JSONObject = [
            "operation": "CREATE_SUBSCRIPTION", "version": "1", "requestInfo": requestInfo(), "currency": "USD",
            "storefront": "USA", "taxCode": "C003-00-2", "period": "P1M",
            "descriptors": ["description": "Two channels", "displayName": "Bundle"],
            "items": [AdvancedCommerceShop.item("news", 6_000), AdvancedCommerceShop.item("sport", 4_000)],
        ]
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) { request[key] = value }
        return try buy(request, as: "bundle", for: try newAccount(in: "USA"))
    }

    /// A new account's one-time charge of 50 dollars.
    fileprivate mutating func newCharge() throws -> PurchaseOutcome {
        let request: JSONObject = [
            "operation": "CREATE_ONE_TIME_CHARGE", "version": "1", "requestInfo": requestInfo(), "currency": "USD",
            "taxCode": "C003-00-2", "item": AdvancedCommerceShop.item("course", 49_990),
        ]
        return try buy(request, as: "coins", for: try newAccount(in: "USA"))
    }

    /// An active subscription of items: an older one, or else a new one.
    fileprivate mutating func bundle() throws -> String {
        do {
            return try subscription {
                $0.productId == "bundle" && $0.status == .active && $0.autoRenewStatus == .on && $0.currency == "USD"
            }.id
        } catch is NothingToActOn {
            return try newBundle().transactionId
        }
    }

    /// Raises the price of a new subscription of items, so that its customer is asked to agree.
    fileprivate mutating func raiseBundle() throws -> AdvancedCommerceSubscriptionPriceChangeResponse {
        let id = try newBundle().transactionId
        let item: JSONValue = ["SKU": "news", "price": 20_000, "dependentSKUs": ["sport"]]
        return try store.changeAdvancedCommercePrice(transactionId: id, body: body(["items": [item]]))
    }

    /// A subscription of items whose customer was asked to agree to a higher price: an older one, or else a new one.
    fileprivate mutating func askedBundle() throws -> String {
        try askedSubscription(where: { $0.productId == "bundle" }) { driver in _ = try driver.raiseBundle() }.id
    }

    /// Changes the items of a new subscription.
    fileprivate mutating func modify(_ changes: [String: JSONValue]) throws -> PurchaseOutcome {
        let bought = try newBundle()
        // The newest account is the one that bought.
        guard let buyer = accountIds.last else { throw NothingToActOn() }
        var request: JSONObject = [
            "operation": "MODIFY_SUBSCRIPTION", "version": "1", "requestInfo": requestInfo(),
            "transactionId": .string(bought.transactionId),
        ]
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) { request[key] = value }
        return try buy(request, as: "bundle", for: buyer)
    }
}
