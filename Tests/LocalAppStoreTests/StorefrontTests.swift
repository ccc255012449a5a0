import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Storefronts of the store` {
    @Test func `an account that moves renews in the new currency, and old transactions keep theirs`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let first = try transcript.buy("pro.weekly").transactionId
        _ = try transcript.store.changePrice(
            PriceChangeRequest(productId: "pro.weekly", price: 500_000, storefront: "JPN")
        )
        try transcript.store.setStorefront(accountId: "a", storefront: "JPN")
        #expect(try transcript.subscription.renewalPrice == 500_000)
        try transcript.advance(to: try at("2026-01-22"))
        try transcript.buy("coins.100")
        #expect(try transcript.account.transactions.map(\.currency) == ["USD", "JPY", "JPY"])
        #expect(try transcript.account.transactions.map(\.price) == [2_990, 500_000, 990])
        let storefronts = try transcript.allRecords().map { try NotificationContent($0).transaction?.storefrontId }
        #expect(storefronts == ["143441", "143462", "143462"])
        let info = try transcript.store.transactionInfo(transactionId: first)
        let old: JWSTransactionDecodedPayload = try decoded(info.signedTransactionInfo)
        #expect(old.storefront == "USA")
        #expect(old.currency == "USD")
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1", "ONE_TIME_CHARGE"])
    }

    @Test func `an account that moves twice has each transaction where it was made`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        for storefront in ["FRA", "GBR", "GBR", "USA"] {
            try transcript.buy("coins.100")
            try transcript.store.setStorefront(accountId: "a", storefront: storefront)
        }
        #expect(try transcript.account.transactions.map(\.currency) == ["USD", "EUR", "GBP", "GBP"])
        #expect(try transcript.account.storefront == "USA")
    }

    @Test func `a pending price increase is dropped`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.weekly")
        _ = try transcript.store.changePrice(
            PriceChangeRequest(productId: "pro.weekly", price: 9_990, storefront: "USA", needsConsent: true)
        )
        try transcript.store.setStorefront(accountId: "a", storefront: "FRA")
        #expect(try transcript.subscription.priceIncreaseStatus == nil)
        try transcript.advance(to: try at("2026-01-22"))
        #expect(
            try transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "PRICE_INCREASE/PENDING 1", "DID_RENEW 1",
            ]
        )
        #expect(try transcript.subscription.price == 2_990)
    }

    @Test func `an unknown storefront or account is refused`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        expectRefusal(.storefrontUnknown, .invalid) {
            try transcript.store.setStorefront(accountId: "a", storefront: "us")
        }
        expectRefusal(.accountNotFound, .notFound) {
            try transcript.store.setStorefront(accountId: "nobody", storefront: "USA")
        }
    }
}
