import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Seats of a subscription` {
    @Test func `seats are sold at the price of the product each, and renew`() throws {
        var transcript = try shop()
        let outcome = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 5)
        let sold: JWSTransactionDecodedPayload = try decoded(outcome.signedTransactionInfo)
        #expect(sold.quantity == 5 && sold.price == 9_990)
        #expect(sold.multiSeatInfo?.invitationManagement == .developer)
        #expect(sold.multiSeatInfo?.priceTiers == [SeatPriceTier(price: 9_990, quantity: 5)])
        #expect(sold.additionalTransactionReason == nil && sold.multiSeatInfo?.revokedSeatQuantity == nil)
        let renewal: JWSRenewalInfoDecodedPayload = try decoded(try #require(outcome.signedRenewalInfo))
        #expect(renewal.renewalQuantity == 5 && renewal.renewalPrice == 9_990)
        #expect(renewal.multiSeatInfo?.renewalPriceTiers == [SeatPriceTier(price: 9_990, quantity: 5)])
        #expect(try transcript.subscription.renewalPrice == 49_950)
        try transcript.advance(to: try at("2026-02-20"))
        let account = try transcript.account
        #expect(
            account.transactions.map(\.quantity) == [5, 5] && account.transactions.map(\.price) == [49_950, 49_950]
        )
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1"])
    }

    @Test func `more seats are sold at once for the rest of the period`() throws {
        var transcript = try shop()
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 2).transactionId
        try transcript.advance(to: try timestamp("2026-01-30T21:30:00Z"))
        let outcome = try transcript.store.changeSeats(originalTransactionId: id, seats: 6)
        let added: JWSTransactionDecodedPayload = try decoded(outcome.signedTransactionInfo)
        #expect(added.quantity == 4 && added.price == 4_995)
        #expect(added.expiresDate == (try at("2026-02-15")))
        let period = try transactions(of: transcript)
        #expect(period.map(\.additionalTransactionReason) == [.seatAddition, .seatAddition])
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try transcript.account.transactions.map(\.quantity) == [2, 4, 6])
        #expect(try transactions(of: transcript).last?.additionalTransactionReason == nil)
        #expect(
            try transcript.newNotifications()
                == ["SUBSCRIBED/INITIAL_BUY 1", "DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY 1", "DID_RENEW 1"]
        )
    }

    @Test func `an extension moves the end of added seats too`() throws {
        var transcript = try shop()
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 2).transactionId
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 6)
        let request = ExtendRenewalDateRequest(
            extendByDays: 5,
            extendReasonCode: .serviceIssueOrOutage,
            requestIdentifier: "1"
        )
        _ = try transcript.store.extendRenewalDate(originalTransactionId: id, request: request)
        #expect(try transcript.store.seats(originalTransactionId: id).seats == 6)
        #expect(try transcript.account.transactions.map(\.expiresDate) == [at("2026-02-20"), at("2026-02-20")])
    }

    @Test func `an extension counts although the newest seats are refunded`() throws {
        var transcript = try shop()
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 3).transactionId
        try transcript.advance(to: try at("2026-01-20"))
        let added = try transcript.store.changeSeats(originalTransactionId: id, seats: 5).transactionId
        try transcript.store.refund(transactionId: added)
        let request = ExtendRenewalDateRequest(
            extendByDays: 10,
            extendReasonCode: .serviceIssueOrOutage,
            requestIdentifier: "1"
        )
        let answer = try transcript.store.extendRenewalDate(originalTransactionId: id, request: request)
        #expect(answer.effectiveDate == (try at("2026-02-25")))
        #expect(try transcript.newestContent().transaction?.transactionId == id)
        #expect(try transcript.account.transactions.map(\.expiresDate) == [at("2026-02-25"), at("2026-02-25")])
        try transcript.advance(to: try at("2026-02-24"))
        #expect(try transcript.account.transactions.map(\.quantity) == [3, 2])
        try transcript.advance(to: try at("2026-02-26"))
        #expect(try transcript.account.transactions.map(\.quantity) == [3, 2, 5])
    }

    @Test func `added seats keep a preserved price`() throws {
        var transcript = try shop()
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 2).transactionId
        let higher = PriceChangeRequest(productId: "monthly", price: 12_990, preserve: true)
        _ = try transcript.store.changePrice(higher)
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 3)
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try transcript.account.transactions.last?.price == 3 * 9_990)
    }

    @Test func `fewer seats renew, and members beyond them lose theirs`() throws {
        var transcript = try shop()
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 3).transactionId
        let seats = try transcript.store.claimSeats(originalTransactionId: id, count: 3)
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 2)
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 3)
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 1)
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try transcript.account.transactions.map(\.quantity) == [3, 1])
        #expect(
            try transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "DID_CHANGE_RENEWAL_PREF/DECREASE_QUANTITY 1",
                "DID_CHANGE_RENEWAL_PREF/DECREASE_QUANTITY 1", "DID_CHANGE_RENEWAL_PREF/DECREASE_QUANTITY 1",
                "UNCLAIM_SEATS", "DID_RENEW 1",
            ]
        )
        let record = try #require(try transcript.allRecords().first { $0.notificationType == .unclaimSeats })
        let payload = try NotificationContent(record).payload
        #expect(payload.data == nil && payload.unclaimInfo?.unclaimSeatIds == Array(seats.dropFirst()))
        expectRefusal(.seatsInvalid, .conflict) { try transcript.store.claimSeats(originalTransactionId: id) }
    }

    @Test func `some seats are refunded, and the subscription continues with the others`() throws {
        var transcript = try shop()
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 3).transactionId
        let seats = try transcript.store.claimSeats(originalTransactionId: id, count: 2)
        try transcript.store.refundSeats(transactionId: id, seats: 2)
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "REFUND/SEATS 1", "UNCLAIM_SEATS"])
        #expect(try transcript.newestContent().payload.unclaimInfo?.unclaimSeatIds == [seats[1]])
        let sold = try #require(try transactions(of: transcript).first)
        #expect(sold.multiSeatInfo?.revokedSeatQuantity == 2 && sold.revocationDate == nil)
        expectRefusal(.seatsInvalid, .conflict) { try transcript.store.refundSeats(transactionId: id, seats: 1) }
        try transcript.store.refund(transactionId: id)
        #expect(try transcript.subscription.status == .revoked)
        #expect(try transcript.newNotifications() == ["UNCLAIM_SEATS", "REFUND 5"])
    }

    @Test(arguments: [true, false])
    func `the purchaser keeps access until every purchase of the period is refunded`(firstIsFirst: Bool) throws {
        var transcript = try shop()
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 2).transactionId
        let added = try transcript.store.changeSeats(originalTransactionId: id, seats: 3).transactionId
        let order = firstIsFirst ? [id, added] : [added, id]
        try transcript.store.refund(transactionId: order[0])
        #expect(try transcript.subscription.status == .active)
        try transcript.store.refund(transactionId: order[1])
        #expect(try transcript.subscription.status == .revoked)
    }

    @Test(arguments: [(true, 3), (false, 2)])
    func `the reversal of one refund restores the period with the seats of that payment`(
        isFirst: Bool,
        seats: Int
    ) throws {
        var transcript = try shop()
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 3).transactionId
        let added = try transcript.store.changeSeats(originalTransactionId: id, seats: 5).transactionId
        try transcript.store.refund(transactionId: added)
        #expect(try newestTransaction(of: transcript).transactionId == id)
        try transcript.store.refund(transactionId: id)
        #expect(try transcript.subscription.status == .revoked)
        let reversed = isFirst ? id : added
        try transcript.store.reverseRefund(transactionId: reversed)
        #expect(try transcript.subscription.status == .active)
        #expect(try transcript.store.seats(originalTransactionId: id).seats == seats)
        let newest = try newestTransaction(of: transcript)
        #expect(newest.transactionId == reversed && newest.revocationDate == nil)
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: true)
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try transcript.account.transactions.map(\.quantity) == [3, 2, 5])
    }

    @Test(arguments: [0, 3_600_000] as [Int64])
    func `seats bought after a refund have their own period, also in the same second`(gap: Int64) throws {
        var transcript = try shop()
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 3).transactionId
        try transcript.store.refund(transactionId: id)
        try transcript.advance(to: try at("2026-01-15") + gap)
        _ = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 2)
        try transcript.store.reverseRefund(transactionId: id)
        #expect(try transcript.store.seats(originalTransactionId: id).seats == 2)
        #expect(try transactions(of: transcript).allSatisfy { $0.additionalTransactionReason == nil })
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 4)
        #expect(try transcript.account.transactions.map(\.quantity) == [3, 2, 2])
        #expect(
            try transactions(of: transcript).map(\.additionalTransactionReason) == [nil, .seatAddition, .seatAddition]
        )
    }

    @Test func `every member loses a seat when the subscription ends`() throws {
        var transcript = try shop()
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 2).transactionId
        _ = try transcript.store.claimSeats(originalTransactionId: id, count: 2)
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try transcript.newNotifications().suffix(2) == ["UNCLAIM_SEATS", "EXPIRED/VOLUNTARY 2"])
        try transcript.buy("monthly")
        #expect(try transactions(of: transcript).last?.multiSeatInfo == nil)
    }

    @Test func `seat calls are refused without seats`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        for (productId, seats, code) in [
            ("none", 2, StoreError.Code.productNotFound), ("coins.100", 2, .seatsNotSupported),
            ("pro.weekly", 0, .seatsInvalid),
        ] {
            let error = #expect(throws: StoreError.self) {
                try transcript.store.purchaseSeats(accountId: "a", productId: productId, seats: seats)
            }
            #expect(error?.code == code)
        }
        let plain = try transcript.buy("plus.monthly").transactionId
        expectRefusal(.seatsNotSupported, .conflict) {
            try transcript.store.changeSeats(originalTransactionId: plain, seats: 2)
        }
        expectRefusal(.seatsNotSupported, .conflict) {
            try transcript.store.refundSeats(transactionId: plain, seats: 1)
        }
        expectRefusal(.alreadySubscribed, .conflict) {
            try transcript.store.purchaseSeats(accountId: "a", productId: "plus.monthly", seats: 2)
        }
        let apples = try transcript.store.purchaseSeats(
            accountId: "a",
            productId: "pro.weekly",
            seats: 2,
            invitationManagement: .apple
        ).transactionId
        expectRefusal(.seatsNotSupported, .conflict) { try transcript.store.claimSeats(originalTransactionId: apples) }
        expectRefusal(.seatsNotSupported, .conflict) { try transcript.buy("pro.monthly") }
        expectRefusal(.seatsInvalid, .conflict) {
            try transcript.store.changeSeats(originalTransactionId: apples, seats: 2)
        }
    }

    private func shop() throws -> StoreTranscript {
        try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: try plainCatalog())
    }

    /// The transaction in Apple's status.
    private func newestTransaction(of transcript: StoreTranscript) throws -> JWSTransactionDecodedPayload {
        var store = transcript.store
        let id = try transcript.account.appTransactionId
        let groups = try store.subscriptionStatuses(anyTransactionId: id).data
        let item = try #require(groups.first?.lastTransactions.first)
        return try decoded(item.signedTransactionInfo)
    }

    private func transactions(of transcript: StoreTranscript) throws -> [JWSTransactionDecodedPayload] {
        var store = transcript.store
        return try transcript.account.transactions.map {
            try decoded(try store.transactionInfo(transactionId: $0.transactionId).signedTransactionInfo)
        }
    }
}
