import AppStoreModel
import LocalAppStore
import Testing

/// Two payloads of a subscription with the same signed date have the same content.
@Suite struct `Signed dates within a subscription` {
    @Test func `a new price of the product that is chosen for the next period makes them newer`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let id = try transcript.buy("pro.monthly").transactionId
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "pro.weekly")
        let before = try renewalInfo(of: &transcript)
        #expect(before.productId == "pro.monthly" && before.autoRenewProductId == "pro.weekly")
        #expect(before.renewalPrice == 2_990)
        _ = try transcript.store.changePrice(PriceChangeRequest(productId: "pro.weekly", price: 1_990))
        let after = try renewalInfo(of: &transcript)
        #expect(after.renewalPrice == 1_990 && after.signedDate > before.signedDate)
    }

    @Test func `a new price in another storefront leaves them`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.weekly")
        let before = try renewalInfo(of: &transcript)
        let request = PriceChangeRequest(productId: "pro.weekly", price: 1_990, storefront: "DEU")
        _ = try transcript.store.changePrice(request)
        let after = try renewalInfo(of: &transcript)
        #expect(after == before)
    }

    private func renewalInfo(of transcript: inout StoreTranscript) throws -> JWSRenewalInfoDecodedPayload {
        let id = try transcript.account.appTransactionId
        let groups = try transcript.store.subscriptionStatuses(anyTransactionId: id).data
        let item = try #require(groups.first?.lastTransactions.first)
        return try decoded(item.signedRenewalInfo)
    }
}
