import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `E-mails to customers` {
    @Test func `a failed charge and an extension are reported to the purchaser, not to the family`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        _ = try transcript.store.createAccount(accountId: "b")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        let id = try transcript.buy("pro.monthly").originalTransactionId
        try transcript.advance(to: try at("2026-02-01"))
        let request = ExtendRenewalDateRequest(extendByDays: 3, extendReasonCode: .other, requestIdentifier: "r")
        _ = try transcript.store.extendRenewalDate(originalTransactionId: id, request: request)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-03-01"))
        let mail = try transcript.store.mail(accountId: "a")
        #expect(mail.map(\.kind) == [.renewalExtended, .billingProblem])
        #expect(mail.map(\.sentAt) == [try at("2026-02-01"), try at("2026-02-25")])
        #expect(mail.allSatisfy { $0.originalTransactionId == id && $0.expiresDate == (try? at("2026-02-25")) })
        #expect(try transcript.store.mail(accountId: "b").isEmpty)
        expectRefusal(.accountNotFound, .notFound) { try transcript.store.mail(accountId: "x") }
    }

    @Test(arguments: [true, false])
    func `a price increase is reported with its price`(needsConsent: Bool) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: try plainCatalog())
        try transcript.buy("monthly")
        let change = PriceChangeRequest(productId: "monthly", price: 20_000, needsConsent: needsConsent)
        _ = try transcript.store.changePrice(change)
        try transcript.advance(to: try at("2026-02-10"))
        let mail = try transcript.store.mail(accountId: "a")
        #expect(mail.map(\.kind) == [needsConsent ? .priceIncreaseConsent : .priceIncreaseNotice])
        #expect(mail.map(\.price) == [20_000])
    }
}
