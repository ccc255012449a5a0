extension LocalAppStore {
    /// Sets how an account's purchases are approved from now on; pending purchases stay pending.
    ///
    /// - Throws: `account_not_found`.
    public mutating func setPurchaseBehaviour(
        accountId: String,
        behaviour: PurchaseBehaviour
    ) throws(StoreError) {
        let account = try accountIndex(accountId)
        ledger.purchaseBehaviours[account] = behaviour == .immediate ? nil : behaviour
    }

    /// Sells a product to an account, or creates a pending purchase if the account needs approval.
    ///
    /// A pending purchase creates no transaction and no notification. The customer is charged by the state at its
    /// completion. A purchase that is not possible now is refused at once.
    ///
    /// - Throws: The errors of ``purchase(accountId:request:)`` except `purchase_not_immediate`.
    public mutating func requestPurchase(
        accountId: String,
        request: PurchaseRequest
    ) throws(StoreError) -> PurchaseAnswer {
        let account = try accountIndex(accountId)
        guard let behaviour = ledger.purchaseBehaviours[account] else {
            return .completed(try complete(request, for: accountId))
        }
        var rehearsal = self
        _ = try rehearsal.complete(request, for: accountId)
        let pending = PendingPurchase(
            pendingPurchaseId: "pending-\(ledger.pendingPurchases.count + 1)",
            accountId: accountId,
            request: request,
            behaviour: behaviour,
            requestedDate: now
        )
        ledger.pendingPurchases.append(pending)
        return .pending(pending)
    }

    /// The pending and completed purchases of an account that needs approval, oldest first.
    ///
    /// - Throws: `account_not_found`.
    public func pendingPurchases(accountId: String) throws(StoreError) -> [PendingPurchase] {
        _ = try accountIndex(accountId)
        return ledger.pendingPurchases.filter { $0.accountId == accountId }
    }

    /// Approves a purchase as a parent, or completes an interrupted one as the customer. The purchase is made now.
    ///
    /// - Parameters:
    ///   - pendingPurchaseId: The purchase.
    ///   - behaviour: The required kind of approval: ``PurchaseBehaviour/askToBuy`` or
    ///     ``PurchaseBehaviour/interrupted``.
    /// - Throws: `pending_purchase_not_found`, `purchase_not_pending`, `purchase_waits_otherwise`, and the errors of
    ///   ``purchase(accountId:request:)``, after which the purchase stays pending.
    public mutating func completePendingPurchase(
        _ pendingPurchaseId: String,
        waitingAs behaviour: PurchaseBehaviour
    ) throws(StoreError) -> PurchaseOutcome {
        let position = try openPurchase(pendingPurchaseId)
        let pending = ledger.pendingPurchases[position]
        guard pending.behaviour == behaviour else {
            let call = pending.behaviour == .askToBuy ? "approve" : "resolve"
            let message = "The purchase waits for another approval: use POST …/\(pendingPurchaseId)/\(call)."
            throw StoreError(.purchaseWaitsOtherwise, message)
        }
        let outcome = try complete(pending.request, for: pending.accountId)
        ledger.pendingPurchases[position].state = .completed
        ledger.pendingPurchases[position].transactionId = outcome.transactionId
        return outcome
    }

    /// Declines a purchase as a parent, or cancels an interrupted one as the customer. Nothing is sold or announced.
    ///
    /// - Throws: `pending_purchase_not_found`, `purchase_not_pending`.
    public mutating func declinePendingPurchase(_ pendingPurchaseId: String) throws(StoreError) -> PendingPurchase {
        let position = try openPurchase(pendingPurchaseId)
        ledger.pendingPurchases[position].state = .declined
        return ledger.pendingPurchases[position]
    }

    /// Refuses an immediate purchase if the account needs approval.
    ///
    /// - Throws: `account_not_found`, `purchase_not_immediate`.
    func checkBuysImmediately(_ accountId: String) throws(StoreError) {
        guard let behaviour = ledger.purchaseBehaviours[try accountIndex(accountId)] else { return }
        let message =
            "The account's purchases wait (\(behaviour.rawValue)), and this one cannot: set them to \"immediate\"."
        throw StoreError(.purchaseNotImmediate, message)
    }

    private func openPurchase(_ id: String) throws(StoreError) -> Int {
        guard let position = ledger.pendingPurchases.firstIndex(where: { $0.pendingPurchaseId == id }) else {
            throw StoreError(.pendingPurchaseNotFound, "There is no pending purchase \"\(id)\".")
        }
        let state = ledger.pendingPurchases[position].state
        guard state == .pending else {
            throw StoreError(.purchaseNotPending, "The purchase is \(state.rawValue) already.")
        }
        return position
    }
}
