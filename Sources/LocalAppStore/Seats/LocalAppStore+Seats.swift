public import AppStoreModel
import PerennialPrimitives

extension LocalAppStore {
    /// The maximum number of seats in one sale; Apple publishes none.
    private static let seatRange = 1...10_000

    /// Sells a subscription with seats, each at the price of the product.
    ///
    /// - Parameters:
    ///   - accountId: The account.
    ///   - productId: A subscription of the catalogue.
    ///   - seats: The number of seats.
    ///   - invitationManagement: Who invites the members. Members invited by the developer get seats with
    ///     ``claimSeats(originalTransactionId:count:)``, those invited by Apple with
    ///     ``assignSeat(originalTransactionId:accountId:)``.
    ///   - appAccountToken: The developer's identifier of the user, a UUID.
    /// - Throws: `account_not_found`, `product_not_found`, `seats_not_supported`, `seats_invalid`,
    ///   `app_account_token_invalid`, `already_subscribed`, `payment_declined`, `purchase_not_immediate`,
    ///   `signing_failed`.
    public mutating func purchaseSeats(
        accountId: String,
        productId: String,
        seats: Int,
        invitationManagement: InvitationManagement = .developer,
        appAccountToken: String? = nil
    ) throws(StoreError) -> PurchaseOutcome {
        try checkBuysImmediately(accountId)
        let account = try accountIndex(accountId)
        let product = try catalogProduct(productId)
        guard let terms = product.terms, invitationManagement.isDocumented else {
            let message = "Seats are sold of auto-renewable subscriptions, with invitations by APPLE or DEVELOPER."
            throw StoreError(.seatsNotSupported, message, kind: .unprocessable)
        }
        try checkSeats(seats, in: Self.seatRange)
        if let token = appAccountToken, !token.isUUID {
            throw StoreError(.appAccountTokenInvalid, "The token must be a UUID.", path: "appAccountToken")
        }
        let held = ledger.subscription(of: account, inGroup: terms.groupId)
        if let held, ledger[held].isLive {
            let message = "The account is subscribed in this group already (\(ledger[held].originalTransactionId))."
            throw StoreError(.alreadySubscribed, message, path: "productId")
        }
        try checkPayment(of: account, fixesPayment: false)
        let price = listPrice(of: product, in: ledger[account].storefront, at: now) * Int64(seats)
        let cycle = Subscription.BillingCycle(anchor: saleDate, period: terms.period)
        var sale = PeriodSale(of: product.productId, from: saleDate, price: price, cycle: cycle, reason: .purchase)
        sale.quantity = seats
        let transaction = start(
            sale,
            for: account,
            inGroup: terms.groupId,
            token: appAccountToken?.lowercased(),
            seats: SeatPlan(renewalQuantity: seats, invitationManagement: invitationManagement)
        )
        try settle()
        return try outcome(of: transaction)
    }

    /// Changes the number of seats: more seats immediately with payment, fewer from the next period on.
    ///
    /// - Throws: `subscription_not_found`, `family_shared`, `subscription_not_active`, `seats_not_supported`,
    ///   `seats_invalid`, `payment_declined`, `signing_failed`.
    public mutating func changeSeats(
        originalTransactionId: String,
        seats: Int
    ) throws(StoreError) -> PurchaseOutcome {
        let (index, plan) = try multiseat(originalTransactionId)
        try checkSeats(seats, in: Self.seatRange)
        let present = lastingSeats(of: index)
        var changed = [ledger[index].latest]
        guard seats != present || plan.renewalQuantity != present else {
            let message = "The subscription has \(seats) seats already, and no change is pending."
            throw StoreError(.seatsInvalid, message, path: "seats", kind: .conflict)
        }
        if seats > present {
            guard ledger[index].state == .active else {
                let message = "Seats are added within a period that is paid for; a charge is being retried."
                throw StoreError(.subscriptionNotActive, message)
            }
            try checkPayment(of: ledger[index].account, fixesPayment: false)
            changed = addSeats(upTo: seats, to: index)
        }
        ledger[seatsOf: index]?.renewalQuantity = seats
        for transaction in changed {
            announce(
                .didChangeRenewalPref,
                seats > present ? .increaseQuantity : .decreaseQuantity,
                transaction: transaction
            )
        }
        try settle()
        return try outcome(of: ledger[index].latest)
    }

    /// Assigns seats to members whom the developer invited, and returns their identifiers.
    ///
    /// - Throws: `subscription_not_found`, `family_shared`, `subscription_not_active`, `seats_not_supported`,
    ///   `seats_invalid`.
    public mutating func claimSeats(
        originalTransactionId: String,
        count: Int = 1
    ) throws(StoreError) -> [String] {
        let (index, plan) = try multiseat(originalTransactionId)
        guard plan.invitationManagement == .developer else {
            let message =
                """
                Apple invites the members of this subscription: POST …/\(originalTransactionId)/seat-members \
                gives seats.
                """
            throw StoreError(.seatsNotSupported, message)
        }
        let free = lastingSeats(of: index) - plan.claims.count
        guard free > 0 else {
            throw StoreError(.seatsInvalid, "All seats are assigned; buy more seats first.", kind: .conflict)
        }
        try checkSeats(count, in: 1...free, path: "count")
        let seats = (0..<count).map { _ in identifiers.nextUUID() }
        ledger.seats.setClaims(plan.claims + seats, of: index)
        return seats
    }

    /// Refunds some of the seats of a transaction; the subscription continues with the others.
    ///
    /// - Throws: `transaction_not_found`, `family_shared`, `already_refunded`, `seats_not_supported`, `seats_invalid`,
    ///   `nothing_to_refund`, `signing_failed`.
    public mutating func refundSeats(transactionId: String, seats: Int) throws(StoreError) {
        let transaction = try refundable(transactionId)
        guard let revoked = ledger.seats.revokedSeats[transaction],
            let index = ledger[transaction].subscription
        else {
            throw StoreError(.seatsNotSupported, "The transaction sold no seats; refund it as a whole.")
        }
        let rest = ledger[transaction].quantity - revoked
        guard rest > 1 else {
            let message = "Only one seat is left of the transaction; refund it as a whole."
            throw StoreError(.seatsInvalid, message, kind: .conflict)
        }
        try checkSeats(seats, in: 1...(rest - 1))
        let before = amountOfRefundedSeats(of: transaction)
        let amount = amount(ofSeats: revoked + seats, in: transaction) - before
        guard amount > 0 else { throw nothingToRefund(of: transaction) }
        ledger[revokedSeatsOf: transaction] = revoked + seats
        ledger.noteModification(of: transaction)
        note(.seatsRefunded(transaction, amount: amount), of: index)
        announce(.refund, .seats, transaction: transaction)
        releaseLostSeats(of: index)
        try settle()
    }

    /// A renewing subscription with seats, and its terms.
    ///
    /// - Throws: `subscription_not_found`, `family_shared`, `seat_assigned`, `subscription_not_active`,
    ///   `seats_not_supported`.
    func multiseat(
        _ originalTransactionId: String
    ) throws(StoreError) -> (LedgerIndex<Subscription>, SeatPlan) {
        let index = try liveSubscription(originalTransactionId)
        guard let plan = ledger.seats.plans[index] else {
            let message = "The subscription has no seats; POST /_store/accounts/{accountId}/seat-purchases sells them."
            throw StoreError(.seatsNotSupported, message)
        }
        return (index, plan)
    }

    private func checkSeats(
        _ count: Int,
        in range: ClosedRange<Int>,
        path: String = "seats"
    ) throws(StoreError) {
        guard range.contains(count) else {
            let message = "The number of seats must be from \(range.lowerBound) to \(range.upperBound)."
            throw StoreError(.seatsInvalid, message, path: path)
        }
    }

    /// Sells more seats for the rest of the running period, and for the next one if it was charged before its start.
    ///
    /// - Returns: The transactions, oldest first.
    private mutating func addSeats(
        upTo seats: Int,
        to index: LedgerIndex<Subscription>
    ) -> [LedgerIndex<Transaction>] {
        guard let product = catalog.products[ledger[index].productId] else { return [ledger[index].latest] }
        let cycle = ledger[index].cycle
        var sold: [LedgerIndex<Transaction>] = []
        for newest in currentPeriods(of: index) {
            let period = keptPayments(of: index, forPeriod: newest)
            let count = seats - self.seats(of: period)
            guard count > 0 else { continue }
            let start = period.map { ledger[$0].purchaseDate }.min() ?? now
            let end = ledger[newest].expiresDate ?? now
            let price = listPrice(of: product, in: ledger[ledger[index].account].storefront, at: now) * Int64(count)
            for transaction in period { ledger.noteModification(of: transaction) }
            let unused = Proration.unused(ofPrice: price, from: start, to: end, at: now)
            let from = max(saleDate, start)
            var sale = PeriodSale(of: product.productId, from: from, to: end, price: unused, cycle: cycle)
            sale.quantity = count
            apply([.sell(sale)], to: index)
            sold.append(ledger[index].latest)
        }
        return sold
    }
}
