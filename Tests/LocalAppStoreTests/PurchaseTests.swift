import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `A purchase` {
    @Test func `the first purchase in a group announces an initial buy and starts an active subscription`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let outcome = try transcript.buy("pro.weekly")
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"])
        #expect(outcome.transactionId == "2000000000000001")
        #expect(outcome.originalTransactionId == outcome.transactionId)
        #expect(outcome.signedRenewalInfo != nil)
        let subscription = try transcript.subscription
        #expect(subscription.status == .active)
        #expect(subscription.expiresDate == (try at("2026-01-22")))
        #expect(subscription.price == 2_990)
        #expect(subscription.offerType == nil)
    }

    @Test(arguments: [("lifetime", 1), ("coins.100", 3), ("season.pass", 1)])
    func `a product without renewal announces a one-time charge without a status`(productId: String, quantity: Int)
        throws
    {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let outcome = try transcript.buy(productId, quantity: quantity)
        #expect(try transcript.newNotifications() == ["ONE_TIME_CHARGE"])
        #expect(outcome.signedRenewalInfo == nil)
        let content = try transcript.newestContent()
        #expect(content.renewalInfo == nil)
        #expect(content.transaction?.quantity == Int32(quantity))
        #expect(content.transaction?.expiresDate == nil)
        #expect(content.transaction?.webOrderLineItemId == nil)
        let price = try #require(transcript.store.catalog.products[productId]).price
        #expect(content.transaction?.price == price * Int64(quantity))
    }

    @Test func `each consumable is a separate purchase`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let first = try transcript.buy("coins.100")
        let second = try transcript.buy("coins.100")
        #expect(second.originalTransactionId == second.transactionId)
        #expect(first.transactionId != second.transactionId)
    }

    @Test func `a non-consumable is sold once, and again after its refund`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let first = try transcript.buy("lifetime")
        expectRefusal(.alreadyOwned, .conflict) { try transcript.buy("lifetime") }
        try transcript.store.refund(transactionId: first.transactionId)
        try transcript.buy("lifetime")
        #expect(try transcript.newNotifications() == ["ONE_TIME_CHARGE", "REFUND", "ONE_TIME_CHARGE"])
    }

    @Test func `an active product cannot be bought again`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.weekly")
        expectRefusal(.alreadySubscribed, .conflict) { try transcript.buy("pro.weekly") }
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"])
    }

    @Test func `two groups are two subscriptions`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.weekly")
        try transcript.buy("plus.monthly")
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "SUBSCRIBED/INITIAL_BUY 1"])
        #expect(try transcript.account.subscriptions.map(\.subscriptionGroupIdentifier) == ["21000001", "21000002"])
    }

    @Test func `a declined card buys nothing`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.store.setPayment(accountId: "a", state: .declined)
        expectRefusal(.paymentDeclined, .unprocessable) { try transcript.buy("pro.monthly") }
        #expect(try transcript.newNotifications().isEmpty)
        #expect(try transcript.account.transactions.isEmpty)
    }

    @Test(arguments: [("coins.100", 0), ("coins.100", 11), ("lifetime", 2), ("pro.monthly", 2), ("season.pass", -1)])
    func `a quantity out of range is refused`(productId: String, quantity: Int) throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        expectRefusal(.quantityInvalid, .invalid) { try transcript.buy(productId, quantity: quantity) }
    }

    @Test func `a request with an unknown object is refused`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        expectRefusal(.productNotFound, .notFound) { try transcript.buy("nothing") }
        let request = PurchaseRequest(productId: "lifetime")
        expectRefusal(.accountNotFound, .notFound) {
            try transcript.store.purchase(accountId: "b", request: request)
        }
        let token = PurchaseRequest(productId: "lifetime", appAccountToken: "user-1")
        expectRefusal(.appAccountTokenInvalid, .invalid) {
            try transcript.store.purchase(accountId: "a", request: token)
        }
    }

    @Test(arguments: ["pro.monthly", "lifetime"])
    func `an offer of a type that does not exist is refused`(productId: String) throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let request = PurchaseRequest(productId: productId, offer: PurchaseRequest.Offer(type: "gift"))
        expectRefusal(.offerNotSupported, .unprocessable) {
            try transcript.store.purchase(accountId: "a", request: request)
        }
    }

    @Test(arguments: ["promotional", "offer_code", "win_back"])
    func `an offer that the product does not have is refused`(type: String) throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let offer = PurchaseRequest.Offer(type: type, identifier: "nothing")
        expectRefusal(.offerNotFound, .notFound) {
            try transcript.store.purchase(
                accountId: "a",
                request: PurchaseRequest(productId: "pro.monthly", offer: offer)
            )
        }
    }

    @Test func `a requested introductory offer is refused if the account is not eligible`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let offer = PurchaseRequest.Offer(type: "introductory")
        for productId in ["pro.weekly", "lifetime"] {
            let request = PurchaseRequest(productId: productId, offer: offer)
            expectRefusal(.offerNotEligible, .unprocessable) {
                try transcript.store.purchase(accountId: "a", request: request)
            }
        }
    }

    @Test func `the developer's token is kept in lower case and carried by every later period`() throws {
        let token = "0F2E6F0A-2D7E-4D0B-8A11-6A4B6A0F9C3E"
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let request = PurchaseRequest(productId: "pro.weekly", appAccountToken: token)
        _ = try transcript.store.purchase(accountId: "a", request: request)
        try transcript.advance(to: try at("2026-01-22"))
        let content = try transcript.newestContent()
        #expect(content.payload.notificationType == .didRenew)
        #expect(content.transaction?.appAccountToken == token.lowercased())
        #expect(content.renewalInfo?.appAccountToken == token.lowercased())
    }

    @Test func `accounts have their own storefront, currency and app transaction`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let account = try transcript.store.createAccount(storefront: "JPN", accountId: "b")
        #expect(account.appTransactionId == "700000000000000002")
        expectRefusal(.accountExists, .conflict) { try transcript.store.createAccount(accountId: "b") }
        expectRefusal(.storefrontUnknown, .invalid) { try transcript.store.createAccount(storefront: "XXX") }
        for id in ["", "a/b", "a b", "ä", String(repeating: "x", count: 129)] {
            expectRefusal(.accountIdInvalid, .invalid) { try transcript.store.createAccount(accountId: id) }
        }
        let request = PurchaseRequest(productId: "lifetime")
        let outcome = try transcript.store.purchase(accountId: "b", request: request)
        let transaction: JWSTransactionDecodedPayload = try decoded(outcome.signedTransactionInfo)
        #expect(transaction.storefront == "JPN")
        #expect(transaction.storefrontId == "143462")
        #expect(transaction.currency == "JPY")
    }

    @Test func `an account without a name gets one that is free`() throws {
        var transcript = try StoreTranscript(at: 0)
        _ = try transcript.store.createAccount(accountId: "account-1")
        #expect(try transcript.store.createAccount().accountId == "account-2")
    }

    @Test func `the list of accounts is paged in the order of creation`() throws {
        var transcript = try StoreTranscript(at: 0)
        for id in ["c", "a", "b"] { _ = try transcript.store.createAccount(accountId: id) }
        let first = try transcript.store.accounts(limit: 2)
        let second = try transcript.store.accounts(after: first.nextCursor, limit: 2)
        #expect(first.accounts.map(\.accountId) == ["c", "a"])
        #expect(second.accounts.map(\.accountId) == ["b"])
        #expect(second.nextCursor == nil)
    }
}
