import AppStoreModel
import LocalAppStore
import Testing

extension `Between an early charge and the end of the period` {
    /// The newest transaction of the account `a`.
    private static func newest(in transcript: StoreTranscript) throws -> String {
        try #require(try transactions(of: "a", in: transcript).last?.transactionId)
    }

    // MARK: - The billing day

    @Test(arguments: [false, true])
    func `the refund of the next period keeps the billing day of the month`(isReversed: Bool) throws {
        var transcript = try Self.store(with: "own", at: "2026-01-31")
        let end = try transcript.subscription.expiresDate
        #expect(end == (try at("2026-02-28")))
        try transcript.advance(to: end - 23 * Self.hour)
        let next = try Self.newest(in: transcript)
        try transcript.store.refund(transactionId: next)
        if isReversed { try transcript.store.reverseRefund(transactionId: next) }
        let id = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: true)
        try transcript.advance(to: try at("2026-03-20"))
        #expect(try transcript.subscription.expiresDate == (try at("2026-03-31")))
        try transcript.advance(to: try at("2026-04-02"))
        #expect(try transcript.subscription.expiresDate == (try at("2026-04-30")))
    }

    // MARK: - Reversals

    @Test func `a reversed refund of the next period after an upgrade leaves one period, and pays it back`() throws {
        var transcript = try Self.store(with: "shared")
        try Self.passCharge(&transcript)
        let next = try Self.newest(in: transcript)
        try transcript.store.refund(transactionId: next)
        let id = try transcript.subscription.originalTransactionId
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "high")
        try transcript.advance(to: try Self.end - Self.hour)
        try transcript.store.reverseRefund(transactionId: next)
        let sold = try Self.transactions(of: "a", in: transcript)
        #expect(sold.map(\.isUpgraded) == [true, true, false])
        let rest: Int64 = 9_990 * 23 / 744
        #expect(sold.map(\.proratedRefund) == [rest, 9_990, nil])
        #expect(try transcript.subscription.productId == "high")
        #expect(try transcript.subscription.expiresDate == sold.last?.expiresDate)
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try paid(in: transcript) == 9_990 - rest + 19_990)
        expectRefusal(.nothingToRefund, .conflict) { try transcript.store.refund(transactionId: next) }
    }

    @Test func `a reversed refund of an earlier purchase gives it back if the newest one is refunded`() throws {
        var transcript = try Self.store(with: "own")
        let first = try Self.newest(in: transcript)
        try transcript.advance(to: try at("2026-01-20"))
        try transcript.store.refund(transactionId: first)
        try transcript.advance(to: try at("2026-01-22"))
        try transcript.buy("own")
        let second = try Self.newest(in: transcript)
        try transcript.store.refund(transactionId: second)
        try transcript.store.reverseRefund(transactionId: first)
        #expect(try transcript.subscription.status == .active)
        #expect(try transcript.subscription.expiresDate == (try Self.end))
        try transcript.store.reverseRefund(transactionId: second)
        #expect(try transcript.subscription.expiresDate == (try at("2026-02-22")))
    }

    @Test func `a period that another product replaced is paid back without the seats refunded before`() throws {
        var transcript = try Self.store()
        let id = try Self.buySeats(3, in: &transcript)
        try Self.passCharge(&transcript)
        let next = try Self.newest(in: transcript)
        try transcript.store.refundSeats(transactionId: next, seats: 1)
        for transaction in [next, id] { try transcript.store.refund(transactionId: transaction) }
        try transcript.buy("high")
        try transcript.advance(to: try Self.end - Self.hour)
        try transcript.store.reverseRefund(transactionId: next)
        #expect(try Self.transactions(of: "a", in: transcript).map(\.proratedRefund) == [nil, 2 * 9_990, nil])
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try paid(in: transcript) == 19_990)
    }

    @Test func `the reversed refund of a next period leaves a running one that an extension lets end later`() throws {
        var transcript = try Self.store(with: "own")
        try Self.passCharge(&transcript)
        let next = try Self.newest(in: transcript)
        try transcript.store.refund(transactionId: next)
        let id = try transcript.subscription.originalTransactionId
        let request = ExtendRenewalDateRequest(
            extendByDays: 40,
            extendReasonCode: .serviceIssueOrOutage,
            requestIdentifier: "1"
        )
        let end = try transcript.store.extendRenewalDate(originalTransactionId: id, request: request).effectiveDate
        #expect(end == (try at("2026-03-27")))
        try transcript.store.reverseRefund(transactionId: next)
        #expect(try transcript.subscription.expiresDate == end)
        _ = try transcript.newNotifications()
        try transcript.advance(to: try at("2026-03-26"))
        #expect(try transcript.newNotifications() == [])
        #expect(try transcript.subscription.status == .active)
        try transcript.advance(to: try at("2026-03-27"))
        #expect(try transcript.newNotifications() == ["EXPIRED/VOLUNTARY 2"])
    }

    // MARK: - Seats

    @Test func `a refund of seats of the next period takes them from members when it begins`() throws {
        var transcript = try Self.store()
        let id = try Self.buySeats(2, in: &transcript)
        _ = try transcript.store.createAccount(accountId: "c")
        for member in ["b", "c"] {
            _ = try transcript.store.assignSeat(originalTransactionId: id, accountId: member)
        }
        try Self.passCharge(&transcript)
        try transcript.store.refundSeats(transactionId: try Self.newest(in: transcript), seats: 1)
        #expect(try transcript.newNotifications() == ["REFUND/SEATS 1"])
        #expect(try transcript.store.seats(originalTransactionId: id).memberAccountIds == ["b", "c"])
        try transcript.advance(to: try Self.end - 1)
        #expect(try transcript.newNotifications() == [])
        #expect(try transcript.store.seats(originalTransactionId: id).seats == 2)
        try transcript.advance(to: try Self.end)
        #expect(try transcript.newNotifications() == ["REVOKE 5"])
        #expect(try transcript.store.seats(originalTransactionId: id).memberAccountIds == ["b"])
        #expect(try transcript.store.seats(originalTransactionId: id).seats == 1)
        try transcript.advance(to: try Self.nextEnd - 24 * Self.hour)
        #expect(try transcript.newNotifications() == ["DID_RENEW 1", "DID_RENEW 1"])
    }

    @Test func `a new member needs a seat in both periods`() throws {
        var transcript = try Self.store()
        let id = try Self.buySeats(2, in: &transcript)
        _ = try transcript.store.assignSeat(originalTransactionId: id, accountId: "b")
        _ = try transcript.store.createAccount(accountId: "c")
        try Self.passCharge(&transcript)
        try transcript.store.refundSeats(transactionId: try Self.newest(in: transcript), seats: 1)
        expectRefusal(.seatsInvalid, .conflict) {
            try transcript.store.assignSeat(originalTransactionId: id, accountId: "c")
        }
        // Only the next period lacks a seat.
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 2)
        #expect(try Self.transactions(of: "a", in: transcript).map(\.quantity) == [2, 2, 1])
        _ = try transcript.store.assignSeat(originalTransactionId: id, accountId: "c")
    }

    @Test func `a reversed refund of the next period after more seats were bought gives its seats back`() throws {
        var transcript = try Self.store()
        let id = try Self.buySeats(2, in: &transcript)
        _ = try transcript.store.assignSeat(originalTransactionId: id, accountId: "b")
        try Self.passCharge(&transcript)
        let next = try Self.newest(in: transcript)
        try transcript.store.refund(transactionId: next)
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 3)
        for member in ["c", "d"] {
            _ = try transcript.store.createAccount(accountId: member)
            _ = try transcript.store.assignSeat(originalTransactionId: id, accountId: member)
        }
        try transcript.store.reverseRefund(transactionId: next)
        #expect(try transcript.subscription.expiresDate == (try Self.nextEnd))
        #expect(try transcript.store.seats(originalTransactionId: id).seats == 3)
        _ = try transcript.newNotifications()
        try transcript.advance(to: try Self.end)
        #expect(try transcript.newNotifications() == ["REVOKE 5"])
        #expect(try transcript.store.seats(originalTransactionId: id).seats == 2)
        #expect(try transcript.store.seats(originalTransactionId: id).memberAccountIds == ["b", "c"])
        try transcript.advance(to: try Self.nextEnd)
        #expect(
            try transcript.newNotifications() == ["EXPIRED/VOLUNTARY 2", "EXPIRED/VOLUNTARY 2", "EXPIRED/VOLUNTARY 2"]
        )
    }
}

/// What the customers paid by the reports of the last forty days, without what was paid back; thousandths of the
/// currency unit.
func paid(in transcript: StoreTranscript) throws -> Int64 {
    try transcript.store.finishedDays(40).flatMap { try transcript.store.report(.subscriber, $0) }
        .reduce(0) { $0 + (try amount($1["Customer Price"])) * ($1["Units"] == "1" ? 1 : -1) }
}
