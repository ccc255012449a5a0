import AppStoreModel

extension LocalAppStore {
    /// The transactions that sold the seats of the current period, oldest first.
    func transactionsOfPeriod(of index: LedgerIndex<Subscription>) -> [LedgerIndex<Transaction>] {
        transactions(of: index, inPeriod: ledger[index].latest)
    }

    /// The transactions that sold a period and seats within it, oldest first, without refunded and replaced ones.
    func transactions(
        of index: LedgerIndex<Subscription>,
        inPeriod period: LedgerIndex<Transaction>
    ) -> [LedgerIndex<Transaction>] {
        let end = ledger[period].expiresDate
        return ledger[ledger[index].account].transactions.filter {
            ledger[$0].subscription == index && ledger[$0].expiresDate == end && ledger[$0].revocation == nil
                && !ledger[$0].isUpgraded
        }
    }

    /// The number of seats of the current period.
    func seatsOfPeriod(of index: LedgerIndex<Subscription>) -> Int {
        seats(of: transactionsOfPeriod(of: index))
    }

    /// The number of seats that transactions sold, without refunded ones.
    func seats(of transactions: [LedgerIndex<Transaction>]) -> Int {
        transactions.reduce(0) { $0 + ledger[$1].quantity - (ledger.seats.revokedSeats[$1] ?? 0) }
    }

    /// Whether the refund of a transaction revokes the current period: with seats, if none is left.
    func isPeriodLost(of index: LedgerIndex<Subscription>, with transaction: LedgerIndex<Transaction>) -> Bool {
        let latest = ledger[index].latest
        guard ledger.seats.plans[index] != nil else { return latest == transaction }
        return ledger[transaction].expiresDate == ledger[latest].expiresDate && transactionsOfPeriod(of: index).isEmpty
    }

    /// Withdraws seats if there are more members than seats, newest first, and announces it.
    ///
    /// - Parameter withMembers: Whether members whom Apple invited lose theirs too.
    mutating func releaseSeats(of index: LedgerIndex<Subscription>, beyond count: Int, withMembers: Bool = true) {
        if withMembers { withdrawSeats(of: index, beyond: count) }
        guard let claims = ledger.seats.plans[index]?.claims, claims.count > count else { return }
        ledger.seats.plans[index]?.claims = Array(claims.prefix(count))
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
        let isShared = ledger[transaction.account].transactions.contains {
            $0 != index && ledger[$0].subscription == subscription
                && ledger[$0].expiresDate == transaction.expiresDate
        }
        if isShared { payload.additionalTransactionReason = .seatAddition }
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
