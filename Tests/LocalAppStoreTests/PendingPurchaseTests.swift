import LocalAppStore
import Testing

@Suite struct `Pending purchases` {
    private static func waiting(
        _ behaviour: PurchaseBehaviour
    ) throws -> (transcript: StoreTranscript, pending: PendingPurchase) {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.store.setPurchaseBehaviour(accountId: "a", behaviour: behaviour)
        let request = PurchaseRequest(productId: "pro.monthly")
        guard case .pending(let pending) = try transcript.store.requestPurchase(accountId: "a", request: request) else {
            throw TranscriptError.noNotification
        }
        return (transcript, pending)
    }

    @Test(arguments: [PurchaseBehaviour.askToBuy, .interrupted])
    func `nothing is sold before approval, and then it is a purchase like any other`(
        behaviour: PurchaseBehaviour
    ) throws {
        var (transcript, pending) = try Self.waiting(behaviour)
        #expect(pending.state == .pending)
        #expect(pending.behaviour == behaviour)
        try transcript.advance(to: try at("2026-01-17"))
        #expect(try transcript.account.transactions.isEmpty)
        #expect(try transcript.newNotifications().isEmpty)
        let outcome = try transcript.store.completePendingPurchase(pending.pendingPurchaseId, waitingAs: behaviour)
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"])
        #expect(try transcript.subscription.purchaseDate == (try at("2026-01-17")))
        let done = try transcript.store.pendingPurchases(accountId: "a")
        #expect(done.map(\.state) == [.completed])
        #expect(done.map(\.transactionId) == [outcome.transactionId])
    }

    @Test func `a declined purchase leaves no trace outside the store`() throws {
        var (transcript, pending) = try Self.waiting(.askToBuy)
        #expect(try transcript.store.declinePendingPurchase(pending.pendingPurchaseId).state == .declined)
        try transcript.advance(to: try at("2026-02-15"))
        #expect(try transcript.account.transactions.isEmpty)
        #expect(try transcript.newNotifications().isEmpty)
    }

    @Test func `a completed decision about a purchase is final`() throws {
        var (transcript, pending) = try Self.waiting(.askToBuy)
        let id = pending.pendingPurchaseId
        expectRefusal(.purchaseWaitsOtherwise, .conflict) {
            try transcript.store.completePendingPurchase(id, waitingAs: .interrupted)
        }
        _ = try transcript.store.declinePendingPurchase(id)
        expectRefusal(.purchaseNotPending, .conflict) { try transcript.store.declinePendingPurchase(id) }
        expectRefusal(.purchaseNotPending, .conflict) {
            try transcript.store.completePendingPurchase(id, waitingAs: .askToBuy)
        }
        expectRefusal(.pendingPurchaseNotFound, .notFound) { try transcript.store.declinePendingPurchase("pending-9") }
    }

    @Test func `a purchase that has become impossible stays pending`() throws {
        var (transcript, pending) = try Self.waiting(.askToBuy)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        expectRefusal(.paymentDeclined, .unprocessable) {
            try transcript.store.completePendingPurchase(pending.pendingPurchaseId, waitingAs: .askToBuy)
        }
        #expect(try transcript.store.pendingPurchases(accountId: "a").map(\.state) == [.pending])
    }

    @Test func `a purchase that is not possible now is refused at once`() throws {
        var (transcript, _) = try Self.waiting(.askToBuy)
        let nothing = PurchaseRequest(productId: "nothing")
        expectRefusal(.productNotFound, .notFound) {
            try transcript.store.requestPurchase(accountId: "a", request: nothing)
        }
        expectRefusal(.purchaseNotImmediate, .conflict) { try transcript.buy("pro.weekly") }
        #expect(try transcript.store.pendingPurchases(accountId: "a").count == 1)
    }

    @Test func `purchases are immediate again after a change of the account's setting`() throws {
        var (transcript, _) = try Self.waiting(.interrupted)
        try transcript.store.setPurchaseBehaviour(accountId: "a", behaviour: .immediate)
        try transcript.buy("pro.weekly")
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"])
    }
}
