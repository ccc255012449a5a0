import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Family Sharing` {
    /// A store in which `a` shares with `b`.
    private static func withFamily(settings: StoreSettings? = nil) throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), settings: settings)
        _ = try transcript.store.createAccount(storefront: "FRA", accountId: "b")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        return transcript
    }

    /// Every notification so far as `account TYPE/SUBTYPE status`.
    private static func notificationsByAccount(_ transcript: StoreTranscript) throws -> [String] {
        let owners = ["a", "b", "c"].reduce(into: [String: String]()) { owners, id in
            guard let account = try? transcript.store.account(id) else { return }
            for transaction in account.transactions { owners[transaction.originalTransactionId] = id }
        }
        return try transcript.allRecords().map { record in
            let subtype = record.subtype.map { "/\($0.rawValue)" } ?? ""
            let status = record.status.map { " \($0.rawValue)" } ?? ""
            let owner = record.originalTransactionId.flatMap { owners[$0] } ?? "?"
            return "\(owner) \(record.notificationType.rawValue)\(subtype)\(status)"
        }
    }

    @Test func `a member gets a subscription of its own with the purchaser's dates and no charge`() throws {
        var transcript = try Self.withFamily()
        let request = PurchaseRequest(
            productId: "pro.monthly",
            appAccountToken: "7e3fb204-2a5c-4b5b-9c36-3a5a9a9c1c11"
        )
        _ = try transcript.store.purchase(accountId: "a", request: request)
        #expect(
            try Self.notificationsByAccount(transcript) == ["a SUBSCRIBED/INITIAL_BUY 1", "b SUBSCRIBED/INITIAL_BUY 1"]
        )
        let bought = try #require(try transcript.store.account("a").transactions.first)
        let content = try transcript.newestContent()
        let shared = try #require(content.transaction)
        #expect(shared.inAppOwnershipType == .familyShared)
        #expect(shared.originalTransactionId == shared.transactionId)
        #expect(shared.transactionId != bought.transactionId)
        #expect(shared.purchaseDate == bought.purchaseDate)
        #expect(shared.expiresDate == bought.expiresDate)
        #expect(shared.appAccountToken == nil)
        #expect(shared.price == 0)
        #expect(shared.storefront == "FRA")
        #expect(shared.appTransactionId == (try transcript.store.account("b").appTransactionId))
        #expect(content.renewalInfo?.appAccountToken == nil)
        #expect(content.renewalInfo?.renewalPrice == nil)
    }

    @Test func `a recovery at an attempt reaches the member too`() throws {
        var transcript = try Self.withFamily(settings: StoreSettings(gracePeriod: .threeDays))
        try transcript.buy("pro.monthly")
        try transcript.store.setPayment(accountId: "a", state: .declined, recoversAfter: 2)
        try transcript.store.setPayment(accountId: "b", state: .declined, recoversAfter: 1)
        try transcript.advance(to: try at("2026-01-24"))
        let expected = [
            "SUBSCRIBED/INITIAL_BUY 1", "DID_FAIL_TO_RENEW/GRACE_PERIOD 4", "DID_RENEW/BILLING_RECOVERY 1",
        ]
        #expect(try Self.notificationsByAccount(transcript) == expected.flatMap { ["a \($0)", "b \($0)"] })
        #expect(try transcript.store.account("b").subscriptions.map(\.status) == [.active])
    }

    @Test func `renewals, failures, recoveries and the end reach the member too`() throws {
        var transcript = try Self.withFamily(settings: StoreSettings(gracePeriod: .threeDays))
        let id = try transcript.buy("pro.monthly").originalTransactionId
        try transcript.advance(to: try at("2026-01-22"))
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-02-28"))
        try transcript.store.setPayment(accountId: "b", state: .ok)
        try transcript.store.setPayment(accountId: "a", state: .ok)
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        try transcript.advance(to: try at("2026-05-01"))
        let expected = [
            "SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1", "DID_FAIL_TO_RENEW/GRACE_PERIOD 4", "GRACE_PERIOD_EXPIRED 3",
            "DID_RENEW/BILLING_RECOVERY 1", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1", "EXPIRED/VOLUNTARY 2",
        ]
        #expect(try Self.notificationsByAccount(transcript) == expected.flatMap { ["a \($0)", "b \($0)"] })
        let (own, shared) = (try transcript.store.account("a"), try transcript.store.account("b"))
        #expect(shared.transactions.map(\.purchaseDate) == own.transactions.map(\.purchaseDate))
        #expect(shared.transactions.map(\.expiresDate) == own.transactions.map(\.expiresDate))
        #expect(Set(shared.transactions.map(\.originalTransactionId)).count == 1)
        #expect(shared.transactions.map(\.price) == [0, 0, 0])
    }

    @Test func `a member who joins later gets what the purchaser has now`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.monthly")
        try transcript.buy("lifetime")
        try transcript.buy("plus.monthly")
        try transcript.buy("coins.100")
        try transcript.advance(to: try at("2026-01-30"))
        _ = try transcript.store.createAccount(accountId: "b")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        #expect(
            try Self.notificationsByAccount(transcript).filter { $0.hasPrefix("b") } == [
                "b SUBSCRIBED/INITIAL_BUY 1", "b ONE_TIME_CHARGE",
            ]
        )
        let shared = try transcript.store.account("b").transactions
        #expect(shared.map(\.productId) == ["pro.monthly", "lifetime"])
        #expect(shared.map(\.purchaseDate) == [try at("2026-01-22"), try at("2026-01-15")])
    }

    @Test func `a member who leaves loses all shared purchases, and gets them again on return`() throws {
        var transcript = try Self.withFamily()
        try transcript.buy("pro.monthly")
        try transcript.buy("lifetime")
        _ = try transcript.newNotifications()
        try transcript.store.removeFamilyMember(accountId: "a", member: "b")
        let revoked = try transcript.newestContent().transaction
        #expect(revoked?.revocationType == .familyRevoke)
        #expect(revoked?.revocationReason == .other)
        #expect(revoked?.revocationPercentage == nil)
        try transcript.advance(to: try at("2026-01-22"))
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        #expect(
            try transcript.newNotifications() == [
                "REVOKE 5", "REVOKE", "DID_RENEW 1", "SUBSCRIBED/RESUBSCRIBE 1", "ONE_TIME_CHARGE",
            ]
        )
        let lines = Set(try transcript.store.account("b").subscriptions.map(\.originalTransactionId))
        #expect(lines.count == 1)
    }

    @Test func `the purchaser's refund revokes the members' purchase, with its reason`() throws {
        var transcript = try Self.withFamily()
        try transcript.buy("pro.monthly")
        // The free week is over.
        try transcript.advance(to: try at("2026-01-23"))
        let subscription = try #require(try transcript.account.transactions.last?.transactionId)
        let lifetime = try transcript.buy("lifetime").transactionId
        _ = try transcript.newNotifications()
        try transcript.store.refund(transactionId: subscription, reason: 1)
        #expect(try transcript.newestContent().transaction?.revocationReason == .appIssue)
        try transcript.store.refund(transactionId: lifetime)
        try transcript.store.reverseRefund(transactionId: subscription)
        #expect(
            try transcript.newNotifications() == [
                "REFUND 5", "REVOKE 5", "REFUND", "REVOKE", "REFUND_REVERSED 1", "SUBSCRIBED/RESUBSCRIBE 1",
            ]
        )
    }

    @Test func `the refund of an older period revokes nothing from the members`() throws {
        var transcript = try Self.withFamily()
        try transcript.buy("pro.monthly")
        try transcript.advance(to: try at("2026-02-23"))
        _ = try transcript.newNotifications()
        let older = try transcript.account.transactions[1]
        #expect(older.price == 9_990)
        try transcript.store.refund(transactionId: older.transactionId)
        #expect(try transcript.newNotifications() == ["REFUND 1"])
    }

    @Test func `an account that stops sharing revokes it from every member`() throws {
        var transcript = try Self.withFamily()
        _ = try transcript.store.createAccount(accountId: "c")
        try transcript.store.addFamilyMember(accountId: "a", member: "c")
        try transcript.buy("pro.monthly")
        try transcript.store.removeFamilyMember(accountId: "a", member: "a")
        #expect(try Self.notificationsByAccount(transcript).suffix(2) == ["b REVOKE 5", "c REVOKE 5"])
        #expect(try transcript.account.familyMembers.isEmpty)
    }

    @Test func `a product without Family Sharing stays with the purchaser`() throws {
        var transcript = try Self.withFamily()
        try transcript.buy("pro.weekly")
        try transcript.buy("season.pass")
        #expect(try transcript.store.account("b").transactions.isEmpty)
    }

    @Test func `a member may have a subscription of its own beside the shared one`() throws {
        var transcript = try Self.withFamily()
        try transcript.buy("pro.monthly")
        let request = PurchaseRequest(productId: "pro.monthly")
        let own = try transcript.store.purchase(accountId: "b", request: request)
        let member = try transcript.store.account("b")
        #expect(member.subscriptions.map(\.inAppOwnershipType) == [.familyShared, .purchased])
        #expect(member.subscriptions.last?.offerType == .introductory)
        let statuses = try transcript.store.subscriptionStatuses(anyTransactionId: own.transactionId)
        #expect(statuses.data.map(\.lastTransactions.count) == [2])
        _ = try transcript.store.purchase(accountId: "b", request: PurchaseRequest(productId: "lifetime"))
    }

    @Test func `a plan without Family Sharing is revoked from the members, and one with it returns`() throws {
        var transcript = try Self.withFamily()
        let id = try transcript.buy("pro.monthly").originalTransactionId
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "pro.weekly")
        try transcript.advance(to: try at("2026-01-22"))
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "pro.yearly")
        #expect(
            try Self.notificationsByAccount(transcript) == [
                "a SUBSCRIBED/INITIAL_BUY 1", "b SUBSCRIBED/INITIAL_BUY 1",
                "a DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1", "b DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1",
                "a DID_RENEW 1", "b REVOKE 5",
                "a DID_CHANGE_RENEWAL_PREF/UPGRADE 1", "b SUBSCRIBED/RESUBSCRIBE 1",
            ]
        )
    }

    @Test func `a manual purchase during billing retry restores the member's access too`() throws {
        var transcript = try Self.withFamily()
        let id = try transcript.buy("pro.yearly").originalTransactionId
        try transcript.advance(to: try at("2026-08-01"))
        try transcript.store.setPayment(accountId: "a", state: .declined)
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "pro.monthly")
        try transcript.advance(to: try at("2027-07-20"))
        _ = try transcript.newNotifications()
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "pro.yearly", fixesPayment: true)
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/RESUBSCRIBE 1", "SUBSCRIBED/RESUBSCRIBE 1"])
        #expect(try transcript.store.account("b").subscriptions.map(\.status) == [.active])
    }

    @Test func `a member cannot change shared purchases`() throws {
        var transcript = try Self.withFamily()
        try transcript.buy("pro.monthly")
        let shared = try #require(try transcript.store.account("b").subscriptions.first?.originalTransactionId)
        expectRefusal(.familyShared, .conflict) {
            try transcript.store.setAutoRenew(originalTransactionId: shared, enabled: false)
        }
        expectRefusal(.familyShared, .conflict) { try transcript.store.refund(transactionId: shared) }
        expectRefusal(.familyShared, .conflict) {
            try transcript.store.requestRefund(transactionId: shared, reason: .other)
        }
    }

    @Test func `an invalid family is refused`() throws {
        var transcript = try Self.withFamily()
        for id in ["c", "d", "e", "f", "g"] { _ = try transcript.store.createAccount(accountId: id) }
        for id in ["c", "d", "e", "f"] { try transcript.store.addFamilyMember(accountId: "a", member: id) }
        let refusals: [(String, String, StoreError.Code, StoreError.Kind)] = [
            ("a", "g", .familyFull, .conflict), ("g", "b", .alreadyInFamily, .conflict),
            ("a", "a", .familyMemberInvalid, .unprocessable), ("a", "nobody", .accountNotFound, .notFound),
            ("nobody", "a", .accountNotFound, .notFound),
        ]
        for (account, member, code, kind) in refusals {
            expectRefusal(code, kind) { try transcript.store.addFamilyMember(accountId: account, member: member) }
        }
        expectRefusal(.notInFamily, .notFound) { try transcript.store.removeFamilyMember(accountId: "a", member: "g") }
        expectRefusal(.notInFamily, .notFound) { try transcript.store.removeFamilyMember(accountId: "g", member: "g") }
        #expect(try transcript.account.familyMembers == ["b", "c", "d", "e", "f"])
    }
}
