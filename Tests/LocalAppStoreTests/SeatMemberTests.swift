import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Members with seats` {
    @Test func `a member gets transactions of its own, which renew with the purchaser's`() throws {
        var (transcript, id) = try shop(seats: 2)
        let outcome = try transcript.assign("b", of: id)
        let given: JWSTransactionDecodedPayload = try decoded(outcome.signedTransactionInfo)
        #expect(given.inAppOwnershipType == .assigned && given.quantity == 1 && given.price == 0)
        #expect(given.originalTransactionId == outcome.transactionId && outcome.originalTransactionId != id)
        #expect(given.multiSeatInfo == nil)
        #expect(given.expiresDate == (try at("2026-02-15")))
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "SUBSCRIBED/INITIAL_BUY 1"])
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try transcript.newNotifications() == ["DID_RENEW 1", "DID_RENEW 1"])
        let member = try transcript.store.account("b")
        #expect(member.transactions.map(\.price) == [0, 0])
        #expect(member.subscriptions.map(\.inAppOwnershipType) == [.assigned])
        #expect(member.subscriptions.first?.expiresDate == (try transcript.subscription.expiresDate))
    }

    @Test func `a withdrawn seat ends immediately, and can be assigned again`() throws {
        var (transcript, id) = try shop(seats: 1)
        try transcript.assign("b", of: id)
        expectRefusal(.seatsInvalid, .conflict) { try transcript.assign("c", of: id) }
        _ = try transcript.newNotifications()
        try transcript.store.withdrawSeat(originalTransactionId: id, accountId: "b")
        #expect(try transcript.newNotifications() == ["REVOKE 5"])
        let taken = try transcript.newestContent().transaction
        #expect(taken?.inAppOwnershipType == .assigned && taken?.revocationType == .assignmentRevoke)
        #expect(taken?.revocationDate == transcript.store.now && taken?.revocationReason == .other)
        #expect(try transcript.subscription.status == .active)
        try transcript.assign("c", of: id)
        try transcript.store.withdrawSeat(originalTransactionId: id, accountId: "c")
        let again = try transcript.assign("b", of: id)
        #expect(try transcript.newNotifications().last == "SUBSCRIBED/RESUBSCRIBE 1")
        #expect(try transcript.store.account("b").transactions.map(\.transactionId).last == again.transactionId)
        #expect(try transcript.store.seats(originalTransactionId: id).memberAccountIds == ["b"])
    }

    @Test func `more seats cause no notifications or transactions of members`() throws {
        var (transcript, id) = try shop(seats: 1)
        try transcript.assign("b", of: id)
        _ = try transcript.newNotifications()
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 2)
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        #expect(
            try transcript.newNotifications() == [
                "DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY 1", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1",
            ]
        )
        #expect(try transcript.store.account("b").transactions.count == 1)
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try transcript.newNotifications() == ["EXPIRED/VOLUNTARY 2", "EXPIRED/VOLUNTARY 2"])
        expectRefusal(.subscriptionNotActive, .conflict) { try transcript.assign("c", of: id) }
    }

    @Test func `a refund of added seats and its reversal cause no transactions of members`() throws {
        var (transcript, id) = try shop(seats: 2)
        let added = try transcript.store.changeSeats(originalTransactionId: id, seats: 3).transactionId
        try transcript.assign("b", of: id)
        try transcript.store.refund(transactionId: added)
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        try transcript.store.reverseRefund(transactionId: added)
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: true)
        #expect(try transcript.store.account("b").transactions.count == 1)
        #expect(try transcript.store.seats(originalTransactionId: id).memberAccountIds == ["b"])
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try transcript.store.account("b").transactions.count == 2)
    }

    @Test func `with fewer seats the newest members lose theirs`() throws {
        var (transcript, id) = try shop(seats: 3)
        for member in ["b", "c", "d"] { try transcript.assign(member, of: id) }
        _ = try transcript.newNotifications()
        try transcript.store.refundSeats(transactionId: id, seats: 1)
        #expect(try transcript.newNotifications() == ["REFUND/SEATS 1", "REVOKE 5"])
        #expect(try transcript.store.seats(originalTransactionId: id).memberAccountIds == ["b", "c"])
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 1)
        try transcript.advance(to: try at("2026-02-20"))
        #expect(
            try transcript.newNotifications()
                == ["DID_CHANGE_RENEWAL_PREF/DECREASE_QUANTITY 1", "REVOKE 5", "DID_RENEW 1", "DID_RENEW 1"]
        )
        #expect(try transcript.store.seats(originalTransactionId: id).memberAccountIds == ["b"])
        let renewal = try #require(try transcript.account.transactions.last?.transactionId)
        try transcript.store.refund(transactionId: renewal)
        #expect(try transcript.newNotifications() == ["REVOKE 5", "REFUND 5"])
        #expect(try transcript.store.account("b").subscriptions.map(\.status) == [.revoked])
    }

    @Test func `members follow a failed charge, its recovery and an extension`() throws {
        var (transcript, id) = try shop(seats: 1)
        try transcript.assign("b", of: id)
        _ = try transcript.store.extendRenewalDate(
            originalTransactionId: id,
            request: ExtendRenewalDateRequest(
                extendByDays: 5,
                extendReasonCode: .serviceIssueOrOutage,
                requestIdentifier: "1"
            )
        )
        let member = try #require(try transcript.store.account("b").subscriptions.first)
        #expect(member.expiresDate == (try at("2026-02-20")))
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-02-22"))
        expectRefusal(.subscriptionNotActive, .conflict) { try transcript.assign("c", of: id) }
        try transcript.store.setPayment(accountId: "a", state: .ok)
        #expect(
            try transcript.newNotifications().dropFirst(2) == [
                "RENEWAL_EXTENDED 1", "RENEWAL_EXTENDED 1", "DID_FAIL_TO_RENEW 3", "DID_FAIL_TO_RENEW 3",
                "DID_RENEW/BILLING_RECOVERY 1", "DID_RENEW/BILLING_RECOVERY 1",
            ]
        )
    }

    @Test func `only the purchaser can change seats, and Apple's calls refuse assigned transactions`() throws {
        var (transcript, id) = try shop(seats: 1)
        let seat = try transcript.assign("b", of: id).originalTransactionId
        expectRefusal(.seatAssigned, .conflict) {
            try transcript.store.setAutoRenew(originalTransactionId: seat, enabled: false)
        }
        expectRefusal(.seatAssigned, .conflict) { try transcript.store.refund(transactionId: seat) }
        #expect(
            result { try transcript.store.setAppAccountToken(originalTransactionId: seat, token: uuid(1)) }
                == .invalidAssignedTransactionNotSupported
        )
        let request = ExtendRenewalDateRequest(
            extendByDays: 5,
            extendReasonCode: .serviceIssueOrOutage,
            requestIdentifier: "1"
        )
        #expect(
            result { _ = try transcript.store.extendRenewalDate(originalTransactionId: seat, request: request) }
                == .assignedSubscriptionExtensionIneligible
        )
        let history = HistoryQuery(inAppOwnershipType: .assigned)
        let page = try transcript.store.transactionHistory(anyTransactionId: seat, query: history)
        #expect(page.signedTransactions.count == 1)
    }

    @Test func `a seat is for another account that has none`() throws {
        var (transcript, id) = try shop(seats: 5)
        try transcript.assign("b", of: id)
        for account in ["a", "b"] {
            expectRefusal(.seatMemberInvalid, .conflict) { try transcript.assign(account, of: id) }
        }
        expectRefusal(.accountNotFound, .notFound) {
            try transcript.store.assignSeat(originalTransactionId: id, accountId: "nobody")
        }
        expectRefusal(.seatNotAssigned, .notFound) {
            try transcript.store.withdrawSeat(originalTransactionId: id, accountId: "a")
        }
        var (other, own) = try shop(seats: 5, invitations: .developer)
        expectRefusal(.seatsNotSupported, .conflict) { try other.assign("b", of: own) }
    }

    @Test func `seats are not shared with a family`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        _ = try transcript.store.createAccount(accountId: "b")
        _ = try transcript.store.purchaseSeats(accountId: "a", productId: "pro.yearly", seats: 2)
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        #expect(try transcript.store.account("b").transactions.isEmpty)
        let id = try transcript.subscription.originalTransactionId
        #expect(try transcript.store.seats(originalTransactionId: id).seats == 2)
    }

    private func shop(
        seats: Int,
        invitations: InvitationManagement = .apple
    ) throws -> (StoreTranscript, String) {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: try plainCatalog())
        let outcome = try transcript.store.purchaseSeats(
            accountId: "a",
            productId: "monthly",
            seats: seats,
            invitationManagement: invitations
        )
        return (transcript, outcome.transactionId)
    }
}

extension StoreTranscript {
    /// Assigns a seat to an account, which is created if necessary.
    @discardableResult
    fileprivate mutating func assign(_ accountId: String, of id: String) throws -> PurchaseOutcome {
        if (try? store.account(accountId)) == nil { _ = try store.createAccount(accountId: accountId) }
        return try store.assignSeat(originalTransactionId: id, accountId: accountId)
    }
}
