import AppStoreModel
import AppStoreSigning
import LocalAppStore

extension StoreAction {
    static let purchases: [StoreAction] = [
        StoreAction("createAccount") { driver in
            let accountId = try driver.newAccount()
            return try driver.store.account(accountId).appTransactionId
        },
        StoreAction("purchase", copies: 4) { driver in
            try driver.buy(try driver.pick(TwoYearsCatalog.plans), for: try driver.buyer()).line
        },
        StoreAction("purchase: a family's plan", copies: 2) { driver in
            try driver.buy(try driver.pick(["home.yearly", "home.monthly"]), for: try driver.buyer()).line
        },
        StoreAction("purchase: without renewal", copies: 2) { driver in
            try driver.buy(try driver.pick(TwoYearsCatalog.oneTime), for: try driver.buyer()).line
        },
        StoreAction("purchase: several of a consumable") { driver in
            try driver.buy("coins", for: try driver.buyer(), quantity: 3).line
        },
        StoreAction("purchase: a year in monthly payments", copies: 2) { driver in
            try driver.buy("silver.yearly", for: try driver.newAccount(in: "FRA"), billingPlan: .monthly).line
        },
        StoreAction("purchase: with another card") { driver in
            let accountId = try driver.accountWithDeclinedCard().accountId
            let request = PurchaseRequest(productId: "plus", fixesPayment: true)
            return try driver.store.purchase(accountId: accountId, request: request).line
        },
        StoreAction("purchase: once more after the end", copies: 2) { driver in
            let former = try driver.subscription { $0.isPlain && $0.status == .expired }
            try driver.store.setPurchaseBehaviour(accountId: former.accountId, behaviour: .immediate)
            return try driver.buy(former.subscription.productId, for: former.accountId).line
        },
        StoreAction("setPurchaseBehaviour") { driver in
            let (accountId, behaviour) = (try driver.buyer(), try driver.pick(PurchaseBehaviour.allCases))
            try driver.store.setPurchaseBehaviour(accountId: accountId, behaviour: behaviour)
            return "\(accountId) \(behaviour.rawValue)"
        },
        StoreAction("requestPurchase") { driver in
            let request = PurchaseRequest(productId: try driver.pick(TwoYearsCatalog.plans))
            switch try driver.store.requestPurchase(accountId: try driver.buyer(), request: request) {
            case .completed(let outcome): return outcome.line
            case .pending(let pending): return "\(pending.pendingPurchaseId) at \(pending.requestedDate)"
            }
        },
        StoreAction("completePendingPurchase") { driver in
            let behaviour = try driver.pick([PurchaseBehaviour.askToBuy, .interrupted])
            let id = try driver.pendingPurchase(waitingAs: behaviour)
            return try driver.store.completePendingPurchase(id, waitingAs: behaviour).line
        },
        StoreAction("declinePendingPurchase") { driver in
            let id = try driver.pendingPurchase(waitingAs: .askToBuy)
            return try driver.store.declinePendingPurchase(id).state.rawValue
        },
        StoreAction("finishTransaction") { driver in
            let id = try driver.buy("coins", for: try driver.buyer()).transactionId
            try driver.store.finishTransaction(transactionId: id)
            return id
        },
        StoreAction("unfinishedTransactions") { driver in
            let accountId = try driver.pick(driver.accountIds)
            let page = try driver.store.unfinishedTransactions(accountId: accountId, limit: 5)
            return page.transactions.map(\.signedTransactionInfo).joined(separator: " ") + " \(page.nextCursor ?? "-")"
        },
    ]

    static let offers: [StoreAction] = [
        StoreAction("acceptSignatures") { driver in
            driver.store.acceptSignatures(by: [driver.keys.developer.publicKey])
            return driver.keys.developer.keyId
        },
        StoreAction("setDeveloperTime") { driver in
            driver.store.setDeveloperTime(try driver.pick([nil, driver.store.now]))
            return "set"
        },
        StoreAction("purchase: a promotional offer", copies: 2) { driver in
            let held = try driver.activeSubscription { $0.productId == "bronze" || $0.productId == "silver" }
            let (productId, offerId) = try driver.pick([
                ("silver", "silver.half"), ("silver", "silver.free"), ("bronze", "bronze.free"),
                ("gold", "gold.quarter"),
            ])
            return try driver.promote(offerId, of: productId, for: held.accountId).line
        },
        StoreAction("purchase: a promotional offer of a lower plan") { driver in
            let accountId = try driver.newAccount()
            _ = try driver.buy("gold", for: accountId)
            return try driver.promote("bronze.free", of: "bronze", for: accountId).line
        },
        StoreAction("purchase: a promotional offer signed in the first form") { driver in
            let accountId = try driver.newAccount()
            let offer = PromotionalOffer(productId: "silver", offerIdentifier: "silver.half")
            let signature = try driver.requestSigner.sign(offer, nonce: driver.nextNonce(), at: driver.store.now)
            let request = PurchaseRequest(
                productId: "silver",
                offer: PurchaseRequest.Offer(
                    type: "promotional",
                    identifier: "silver.half",
                    signature: signature.encodedSignature,
                    keyId: signature.keyId,
                    nonce: signature.nonce.text,
                    timestamp: signature.timestamp
                )
            )
            _ = try driver.buy("bronze", for: accountId)
            return try driver.store.purchase(accountId: accountId, request: request).line
        },
        StoreAction("purchase: without the introductory offer") { driver in
            let accountId = try driver.newAccount()
            let app = try driver.store.account(accountId).appTransactionId
            let claims = IntroductoryOfferEligibility(
                productId: "silver",
                allowIntroductoryOffer: false,
                transactionId: app
            )
            let jws = try driver.requestSigner.sign(claims, nonce: driver.nextNonce(), at: driver.store.now)
            let offer = PurchaseRequest.Offer(type: "introductory", signature: jws)
            return try driver.buy("silver", for: accountId, offer: offer).line
        },
        StoreAction("purchase: an offer with codes", copies: 2) { driver in
            let (productId, name) = try driver.pick([
                ("silver", "silver.stack"), ("silver", "silver.replace"), ("bronze", "bronze.code"),
                ("lifetime", "half"), ("coins", "gift"),
            ])
            let offer = PurchaseRequest.Offer(type: "offer_code", identifier: name)
            return try driver.buy(productId, for: try driver.newAccount(), offer: offer).line
        },
        StoreAction("purchase: an offer with codes of the running plan") { driver in
            let accountId = try driver.newAccount()
            _ = try driver.buy("bronze", for: accountId)
            let (productId, name) = try driver.pick([("bronze", "bronze.code"), ("gold", "gold.code")])
            let offer = PurchaseRequest.Offer(type: "offer_code", identifier: name)
            return try driver.buy(productId, for: accountId, offer: offer).line
        },
        StoreAction("purchase: a win-back offer", copies: 2) { driver in
            let former = try driver.subscription {
                $0.isPlain && $0.status == .expired && $0.subscriptionGroupIdentifier == "1"
            }
            try driver.store.setPayment(accountId: former.accountId, state: .ok)
            try driver.store.setPurchaseBehaviour(accountId: former.accountId, behaviour: .immediate)
            let offer = PurchaseRequest.Offer(
                type: "win_back",
                identifier: try driver.pick(["back.normal", "back.high"])
            )
            return try driver.buy("silver", for: former.accountId, offer: offer).line
        },
        StoreAction("makeSingleCodes") { driver in
            let batch = try driver.store.makeSingleCodes(productId: "silver", offer: "silver.replace", count: 3)
            let code = try driver.pick(driver.store.codes(of: batch))
            let offer = PurchaseRequest.Offer(type: "offer_code", code: code)
            return "\(code) \(try driver.buy("silver", for: try driver.newAccount(), offer: offer).line)"
        },
        StoreAction("makeCustomCode") { driver in
            let code = "CODE\(driver.nextNumber())"
            _ = try driver.store.makeCustomCode(
                productId: "gold",
                offer: "gold.code",
                code: code,
                redemptionLimit: 2
            )
            let offer = PurchaseRequest.Offer(type: "offer_code", code: code)
            return try driver.buy("gold", for: try driver.newAccount(), offer: offer).line
        },
        StoreAction("deactivateOfferCodes") { driver in
            let batch = try driver.store.makeSingleCodes(productId: "coins", offer: "gift", count: 2)
            let ended = try driver.store.deactivateOfferCodes(batch.offerCodesId)
            return "\(ended.offerCodesId) \(ended.isActive)"
        },
    ]
}

extension TwoYearsDriver {
    /// Signs requests of the developer.
    var requestSigner: StoreKitRequestSigner {
        StoreKitRequestSigner(key: keys.developer, bundleId: store.configuration.bundleId)
    }

    /// Redeems a promotional offer.
    mutating func promote(
        _ offerId: String,
        of productId: String,
        for accountId: String
    ) throws -> PurchaseOutcome {
        let claims = PromotionalOfferV2(productId: productId, offerIdentifier: offerId)
        let jws = try requestSigner.sign(claims, nonce: nextNonce(), at: store.now)
        let offer = PurchaseRequest.Offer(type: "promotional", identifier: offerId, signature: jws)
        return try buy(productId, for: accountId, offer: offer)
    }

    /// A purchase of a new account that waits for approval.
    fileprivate mutating func pendingPurchase(waitingAs behaviour: PurchaseBehaviour) throws -> String {
        let accountId = try newAccount()
        try store.setPurchaseBehaviour(accountId: accountId, behaviour: behaviour)
        let request = PurchaseRequest(productId: try pick(["gold", "coins"]))
        guard case .pending(let pending) = try store.requestPurchase(accountId: accountId, request: request) else {
            throw NothingToActOn()
        }
        return pending.pendingPurchaseId
    }
}
