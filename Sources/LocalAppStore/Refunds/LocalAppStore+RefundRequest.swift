public import AppStoreModel

extension LocalAppStore {
    /// Requests a refund as a customer in the app: renewal is turned off, and the developer is asked for consumption
    /// information.
    ///
    /// The request stays open until ``refund(transactionId:reason:percentage:)`` grants it or
    /// ``declineRefund(transactionId:)`` declines it.
    ///
    /// - Parameters:
    ///   - transactionId: The transaction.
    ///   - reason: The customer's reason; one that Apple documents.
    /// - Throws: `transaction_not_found`, `refund_reason_unknown`, `family_shared`, `already_refunded`,
    ///   `refund_already_requested`, `signing_failed`.
    public mutating func requestRefund(
        transactionId: String,
        reason: ConsumptionRequestReason
    ) throws(StoreError) -> RefundRequestReceipt {
        let index = try refundable(transactionId)
        guard ConsumptionRequestReason.documented.contains(reason) else {
            let reasons = ConsumptionRequestReason.documented.map(\.rawValue).joined(separator: ", ")
            let message = "\"\(reason.rawValue)\" is no reason of Apple's; use one of \(reasons)."
            throw StoreError(.refundReasonUnknown, message, path: "consumptionRequestReason")
        }
        guard ledger.openRefundRequest(of: index) == nil else {
            let message = "A refund was requested already and is not decided yet: decline or grant that one first."
            throw StoreError(.refundAlreadyRequested, message)
        }
        ledger.refundRequests[index] = RefundRequest(requestedAt: now, reason: reason)
        if let subscription = ledger[index].subscription, ledger[subscription].isLive {
            setAutoRenew(of: subscription, enabled: false)
        }
        let isAsked = ledger[index].type == .consumable || ledger[index].type == .autoRenewableSubscription
        if isAsked { announce(.consumptionRequest, transaction: index, consumptionRequestReason: reason) }
        try settle()
        return RefundRequestReceipt(
            transactionId: ledger[index].transactionId,
            requestedDate: now,
            consumptionRequestReason: reason,
            isConsumptionRequested: isAsked
        )
    }

    /// Declines the refund request of a customer.
    ///
    /// - Throws: `transaction_not_found`, `refund_not_requested`, `signing_failed`.
    public mutating func declineRefund(transactionId: String) throws(StoreError) {
        let index = try transactionIndex(transactionId)
        guard ledger.openRefundRequest(of: index) != nil else {
            let message =
                "No refund request for this transaction is pending: create one with"
                + " POST /_store/transactions/\(transactionId)/refund-request."
            throw StoreError(.refundNotRequested, message)
        }
        ledger.refundRequests[index]?.outcome = .declined
        ledger.advancedCommerce.pendingRefunds[index] = nil
        announce(.refundDeclined, transaction: index)
        try settle()
    }

    /// Reverses a refund, for example after a dispute: the transaction counts as if it had never been refunded.
    ///
    /// A subscription that the refund ended is active again until the end of its period, or expired if that has passed.
    /// It has the plan that it had before the refund. Renewal stays off until the customer turns it on. With seats, the
    /// reversal of one payment for the period is enough. A running subscription continues with the period if it ends
    /// later than the running one.
    ///
    /// - Throws: `transaction_not_found`, `family_shared`, `not_refunded`, `signing_failed`.
    public mutating func reverseRefund(transactionId: String) throws(StoreError) {
        let index = try transactionIndex(transactionId)
        try checkPurchased(index)
        guard ledger[index].revocation != nil else {
            throw StoreError(.notRefunded, "The transaction is not refunded, so there is nothing to reverse.")
        }
        ledger.reinstate(index)
        if let subscription = ledger[index].subscription { note(.refundReversed(index), of: subscription) }
        forgetRefunds(of: index)
        if let subscription = ledger[index].subscription {
            let actions = restoration(of: index, of: subscription)
            apply(actions, to: subscription)
            chooseLatest(of: subscription)
            releaseLostSeats(of: subscription)
        }
        announce(.refundReversed, transaction: index)
        try settle()
    }

    /// What follows for a subscription after the refund of one of its transactions was reversed.
    private func restoration(
        of index: LedgerIndex<Transaction>,
        of subscription: LedgerIndex<Subscription>
    ) -> [LifecycleAction] {
        let machine = machine(of: subscription)
        if isOverlaid(index, of: subscription) { return [.replace(index, refund: refundableAmount(of: index))] }
        if isPeriodRestored(of: subscription, with: index) { return machine.refundReversed() }
        return canContinue(subscription, with: index) ? machine.refundReversed(of: ledger[index]) : []
    }

    /// Whether another product was bought between the refund of a transaction and the start of its period, and was
    /// running at that start, or the subscription was migrated meanwhile. Both would have replaced this period too.
    private func isOverlaid(_ index: LedgerIndex<Transaction>, of subscription: LedgerIndex<Subscription>) -> Bool {
        let period = ledger[index]
        guard !period.isUpgraded else { return false }
        if ledger.advancedCommerce.hasMoved(subscription) { return ledger[subscription].latest.offset < index.offset }
        return ledger[period.account].transactions.contains {
            let other = ledger[$0]
            return index.offset < $0.offset && other.subscription == subscription && other.reason == .purchase
                && other.productId != period.productId && other.purchaseDate < period.purchaseDate
                && period.purchaseDate < other.coverageEnd
        }
    }

    /// Whether a subscription can continue with the period of a transaction after the reversal of its refund.
    ///
    /// While it runs, it keeps its kind. Of items, seats and commitments only a later sale takes the place of the
    /// newest period.
    private func canContinue(_ subscription: LedgerIndex<Subscription>, with index: LedgerIndex<Transaction>) -> Bool {
        guard !ledger[index].isUpgraded, !ledger.advancedCommerce.hasMoved(subscription) else { return false }
        guard ledger[subscription].isLive else { return true }
        let kind = ledger.planKind(of: index)
        guard kind == ledger.planKind(of: ledger[subscription].latest) else { return false }
        let first = payments(forPeriodOf: subscription).first ?? ledger[subscription].latest
        return kind == .standard || first.offset < index.offset
    }

    /// A transaction that can be refunded.
    ///
    /// - Throws: `transaction_not_found`, `family_shared`, `already_refunded`.
    func refundable(_ transactionId: String) throws(StoreError) -> LedgerIndex<Transaction> {
        let index = try transactionIndex(transactionId)
        try checkPurchased(index)
        guard ledger[index].revocation == nil else {
            throw StoreError(.alreadyRefunded, "The transaction is refunded already.")
        }
        return index
    }

    /// The index of a transaction.
    ///
    /// - Throws: `transaction_not_found`.
    func transactionIndex(_ transactionId: String) throws(StoreError) -> LedgerIndex<Transaction> {
        guard let index = ledger.transaction(id: transactionId) else {
            let message = "There is no transaction \"\(transactionId)\"; GET /_store/accounts/{accountId} lists them."
            throw StoreError(.transactionNotFound, message)
        }
        return index
    }

    private func checkPurchased(_ index: LedgerIndex<Transaction>) throws(StoreError) {
        guard ledger[index].ownership == .purchased else { throw StoreError.boughtByAnother(ledger[index].ownership) }
    }
}
