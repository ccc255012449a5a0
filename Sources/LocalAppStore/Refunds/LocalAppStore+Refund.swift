import AppStoreModel

extension LocalAppStore {
    /// A full refund, in thousandths of a percent.
    static let fullPercentage = 100_000

    /// A part of an amount in thousandths of a percent, rounded to the nearest: 2 of 3 is 66,667.
    static func percentage(of part: Int64, in whole: Int64) -> Int64 {
        guard part < whole else { return Int64(fullPercentage) }
        return (2 * part * Int64(fullPercentage) + whole) / (2 * whole)
    }

    /// Refunds a transaction, in full or in part.
    ///
    /// A refund of a subscription's current period ends the subscription at once, and refunds a next period that was
    /// charged before its start. A refund of that next period leaves the current one. A refund of an earlier or
    /// long-ended period changes only that transaction. Of a period that an upgrade ended, only what the upgrade did
    /// not pay back is refunded. The developer's open request for a refund of Advanced Commerce is granted as it is.
    ///
    /// - Parameters:
    ///   - transactionId: The transaction.
    ///   - reason: 0 for any other reason, 1 for an issue with the app.
    ///   - percentage: Thousandths of a percent, 1 to 100,000, as `revocationPercentage` has them; `nil` refunds all.
    ///     A granted request of the developer has its own amounts.
    /// - Returns: The part of the price that was paid back, thousandths of a percent; `nil` if the granted request does
    ///   not revoke the transaction.
    /// - Throws: `transaction_not_found`, `family_shared`, `already_refunded`, `reason_invalid`, `percentage_invalid`,
    ///   `nothing_to_refund`, `signing_failed`.
    @discardableResult
    public mutating func refund(
        transactionId: String,
        reason: Int = 0,
        percentage: Int? = nil
    ) throws(StoreError) -> Int? {
        let index = try refundable(transactionId)
        guard (0...1).contains(reason) else {
            let message = "The reason must be 0 (other) or 1 (an issue with the app)."
            throw StoreError(.reasonInvalid, message, path: "reason")
        }
        let share = percentage ?? Self.fullPercentage
        guard (1...Self.fullPercentage).contains(share) else {
            let message = "The percentage is in thousandths of a percent, from 1 to \(Self.fullPercentage) (100 %)."
            throw StoreError(.percentageInvalid, message, path: "percentage")
        }
        guard percentage == nil || ledger.advancedCommerce.pendingRefunds[index] == nil else {
            let message = "The open request of the developer has its own amounts; grant it without a percentage."
            throw StoreError(.percentageInvalid, message, path: "percentage")
        }
        let rest = refundableAmount(of: index)
        guard rest > 0 else { throw nothingToRefund(of: index) }
        guard Self.part(share, of: rest) > 0 else {
            let message = "This part of the price is less than the smallest amount; use a higher percentage."
            throw StoreError(.percentageInvalid, message, path: "percentage")
        }
        refund(index, reason: reason == 0 ? .other : .appIssue, percentage: share)
        try settle()
        return ledger[index].revocation?.percentage.map(Int.init)
    }

    /// Refunds a transaction that is not refunded yet; the part is in thousandths of a percent.
    mutating func refund(_ index: LedgerIndex<Transaction>, reason: RevocationReason, percentage share: Int) {
        guard !grantPendingRefund(of: index, reason: reason) else { return }
        let next = nextPeriod(lostWith: index)
        let paidForItems = noteRefundOfEveryItem(of: index, percentage: share)
        let revocation = Transaction.Revocation(
            date: now,
            reason: reason,
            type: share == Self.fullPercentage ? .fullRefund : .proratedRefund,
            percentage: Int32(share)
        )
        ledger.revoke(index, revocationByItems(of: index, reason: reason) ?? revocation)
        if ledger.openRefundRequest(of: index) != nil { ledger.refundRequests[index]?.outcome = .granted }
        if let subscription = ledger[index].subscription {
            if let paidForItems {
                note(.itemsRefunded(index, amount: paidForItems, isRevoked: true), of: subscription)
            } else {
                note(.refunded(index, percentage: Int32(share)), of: subscription)
            }
        }
        if let subscription = ledger[index].subscription, !next.isEmpty || isPeriodLost(of: subscription, with: index) {
            let actions = machine(of: subscription).periodRefunded()
            apply(actions, to: subscription)
        }
        if let subscription = ledger[index].subscription { chooseLatest(of: subscription) }
        announce(.refund, transaction: index)
        if let subscription = ledger[index].subscription { releaseLostSeats(of: subscription) }
        for transaction in next { refund(transaction, reason: reason, percentage: Self.fullPercentage) }
    }

    /// What a refund of a transaction can pay back now, thousandths of the currency unit.
    func refundableAmount(of index: LedgerIndex<Transaction>) -> Int64 {
        amountOfUnrefundedItems(of: index)
            ?? max(0, ledger.refundableAmount(of: index, at: now) - amountOfRefundedSeats(of: index))
    }

    /// A part of an amount, rounded down; the part is in thousandths of a percent.
    static func part(_ percentage: Int, of amount: Int64) -> Int64 {
        amount * Int64(percentage) / Int64(fullPercentage)
    }

    /// The transactions of the next period, charged before its start, if a refund takes all of the running one.
    private func nextPeriod(lostWith transaction: LedgerIndex<Transaction>) -> [LedgerIndex<Transaction>] {
        guard let index = ledger[transaction].subscription, ledger[index].isLive,
            let running = runningBeforeNext(of: index),
            keptPayments(of: index, forPeriod: running) == [transaction]
        else { return [] }
        return keptPayments(forPeriodOf: index)
    }

    /// Refuses a refund of a transaction that would pay back nothing.
    func nothingToRefund(of index: LedgerIndex<Transaction>) -> StoreError {
        let problem = "Nothing is left to refund: the transaction was free, or everything was paid back already"
        guard ledger.openRefundRequest(of: index) != nil else { return StoreError(.nothingToRefund, "\(problem).") }
        let remedy = "decline the request with POST /_store/transactions/\(ledger[index].transactionId)/refund-decline"
        return StoreError(.nothingToRefund, "\(problem); \(remedy).")
    }
}
