import AppStoreModel

extension LocalAppStore {
    /// The payments for the newest period, oldest first, refunded or not.
    func payments(forPeriodOf index: LedgerIndex<Subscription>) -> [LedgerIndex<Transaction>] {
        payments(of: index, forPeriod: ledger[index].latest)
    }

    /// The payments for the period of one of them, oldest first, refunded or not. Of seats and Advanced Commerce there
    /// may be several.
    private func payments(
        of index: LedgerIndex<Subscription>,
        forPeriod payment: LedgerIndex<Transaction>
    ) -> [LedgerIndex<Transaction>] {
        guard ledger.seats.plans[index] != nil || ledger.advancedCommerce.subscriptions[index] != nil else {
            return [payment]
        }
        return payments(forPeriodOf: payment)
    }

    /// The payments of seats or Advanced Commerce for the period of one of them, oldest first. All have the same end. A
    /// payment with that end which began a period separates two periods: both were bought in the same second.
    private func payments(forPeriodOf payment: LedgerIndex<Transaction>) -> [LedgerIndex<Transaction>] {
        let period = ledger[payment]
        let payments = ledger[period.account].transactions.filter {
            ledger[$0].subscription == period.subscription && ledger[$0].expiresDate == period.expiresDate
        }
        let starts = payments.filter { ledger[$0].beginsPeriod == true }.map(\.offset)
        let start = starts.last { $0 <= payment.offset } ?? 0
        let next = starts.first { $0 > payment.offset } ?? .max
        return payments.filter { (start..<next).contains($0.offset) }
    }

    /// The payments for the newest period that are not refunded, oldest first.
    func keptPayments(forPeriodOf index: LedgerIndex<Subscription>) -> [LedgerIndex<Transaction>] {
        keptPayments(of: index, forPeriod: ledger[index].latest)
    }

    /// The payments for the period of one of them that are not refunded, oldest first.
    func keptPayments(
        of index: LedgerIndex<Subscription>,
        forPeriod payment: LedgerIndex<Transaction>
    ) -> [LedgerIndex<Transaction>] {
        payments(of: index, forPeriod: payment).filter { ledger[$0].revocation == nil }
    }

    /// The number of seats of the running period.
    func seatsOfRunningPeriod(of index: LedgerIndex<Subscription>) -> Int {
        seats(of: keptPayments(of: index, forPeriod: runningBeforeNext(of: index) ?? ledger[index].latest))
    }

    /// The number of seats that the running period has, and the next one too if it was charged before its start.
    func lastingSeats(of index: LedgerIndex<Subscription>) -> Int {
        currentPeriods(of: index).map { seats(of: keptPayments(of: index, forPeriod: $0)) }.min() ?? 0
    }

    /// Takes the seats that the running period does not have any more from members, and those that the next one does
    /// not have at its start.
    mutating func releaseLostSeats(of index: LedgerIndex<Subscription>) {
        guard ledger[index].isLive, ledger.seats.plans[index] != nil else { return }
        let count = seatsOfRunningPeriod(of: index)
        releaseSeats(of: index, beyond: count)
        guard let running = runningBeforeNext(of: index), let end = ledger[running].expiresDate else { return }
        apply([.wait(until: end)], to: index)
    }

    /// The number of seats that transactions sold, without refunded ones.
    func seats(of transactions: [LedgerIndex<Transaction>]) -> Int {
        transactions.reduce(0) { $0 + ledger[$1].quantity - (ledger.seats.revokedSeats[$1] ?? 0) }
    }

    /// The price of a number of a transaction's seats, rounded down; thousandths of the currency unit.
    func amount(ofSeats count: Int, in index: LedgerIndex<Transaction>) -> Int64 {
        ledger[index].price * Int64(count) / Int64(ledger[index].quantity)
    }

    /// What refunds of some seats of a transaction have paid back, thousandths of the currency unit.
    func amountOfRefundedSeats(of index: LedgerIndex<Transaction>) -> Int64 {
        ledger.seats.revokedSeats[index].map { amount(ofSeats: $0, in: index) } ?? 0
    }

    /// Whether the refund of a transaction revokes the current period: with seats, if none is left.
    func isPeriodLost(of index: LedgerIndex<Subscription>, with transaction: LedgerIndex<Transaction>) -> Bool {
        guard ledger.seats.plans[index] != nil else { return ledger[index].latest == transaction }
        let payments = payments(forPeriodOf: index)
        return payments.contains(transaction) && payments.allSatisfy { ledger[$0].revocation != nil }
    }

    /// Whether the reversal of a transaction's refund restores the current period: with seats, each of its payments
    /// does. The newest payment of Advanced Commerce has all items.
    func isPeriodRestored(of index: LedgerIndex<Subscription>, with transaction: LedgerIndex<Transaction>) -> Bool {
        guard ledger.seats.plans[index] != nil else { return ledger[index].latest == transaction }
        return payments(forPeriodOf: index).contains(transaction)
    }

    /// Lets the newest payment for seats that is not refunded stand for the subscription.
    mutating func chooseLatest(of index: LedgerIndex<Subscription>) {
        guard ledger.seats.plans[index] != nil, ledger[index].isLive,
            let newest = keptPayments(forPeriodOf: index).last, newest != ledger[index].latest
        else { return }
        apply([.setLatest(newest)], to: index)
    }

    /// Withdraws seats if there are more members than seats, newest first, and announces it.
    ///
    /// - Parameter withMembers: Whether members whom Apple invited lose theirs too.
    mutating func releaseSeats(of index: LedgerIndex<Subscription>, beyond count: Int, withMembers: Bool = true) {
        if withMembers { withdrawSeats(of: index, beyond: count) }
        guard let claims = ledger.seats.plans[index]?.claims, claims.count > count else { return }
        ledger.seats.setClaims(Array(claims.prefix(count)), of: index)
        guard !isSilent, settings.notificationVersion == .v2 else { return }
        var announcement = Announcement(
            type: .unclaimSeats,
            subtype: nil,
            notificationUUID: identifiers.nextUUID(),
            signedDate: now,
            transaction: nil,
            renewalInfo: nil,
            status: nil
        )
        announcement.unclaimInfo = UnclaimInfo(
            unclaimSeatIds: Array(claims.dropFirst(count)),
            unknownFields: seatsOwner(of: index)
        )
        announcements.append(announcement)
    }

    /// The withdrawn seats: Apple documents no other members of the object.
    private func seatsOwner(of index: LedgerIndex<Subscription>) -> JSONObject {
        var owner: JSONObject = [
            "bundleId": .string(configuration.bundleId), "environment": configuration.environment.jsonValue,
            "originalTransactionId": .string(ledger[index].originalTransactionId),
        ]
        owner["appAppleId"] = publishedAppAppleId.map { .integer($0) }
        return owner
    }

    /// Adds the seats of a transaction; `price` is the average per seat.
    func describeSeats(of index: LedgerIndex<Transaction>, in payload: inout JWSTransactionDecodedPayload) {
        guard let revoked = ledger.seats.revokedSeats[index], let subscription = ledger[index].subscription else {
            return
        }
        let transaction = ledger[index]
        let price = transaction.price / Int64(transaction.quantity)
        payload.price = price
        payload.multiSeatInfo = TransactionMultiSeatInfo(
            invitationManagement: ledger.seats.plans[subscription]?.invitationManagement,
            priceTiers: [SeatPriceTier(price: price, quantity: Int32(transaction.quantity))],
            revokedSeatQuantity: revoked > 0 ? Int32(revoked) : nil
        )
        if payments(forPeriodOf: index).count > 1 { payload.additionalTransactionReason = .seatAddition }
    }

    /// Adds the seats of the next period.
    func describeSeats(of index: LedgerIndex<Subscription>, in payload: inout JWSRenewalInfoDecodedPayload) {
        guard let plan = ledger.seats.plans[index], let price = payload.renewalPrice else { return }
        payload.renewalQuantity = Int32(plan.renewalQuantity)
        payload.multiSeatInfo = RenewalMultiSeatInfo(
            renewalPriceTiers: [SeatPriceTier(price: price, quantity: Int32(plan.renewalQuantity))]
        )
    }
}
