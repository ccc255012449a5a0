extension LocalAppStore {
    /// Decides how an account's purchases come about from now on; what is pending stays so.
    ///
    /// - Throws: `account_not_found`.
    public mutating func setPurchaseBehaviour(
        accountId: String,
        behaviour: PurchaseBehaviour
    ) throws(StoreError) {
        let account = try accountIndex(accountId)
        ledger.purchaseBehaviours[account] = behaviour == .immediate ? nil : behaviour
    }

    /// Sells a product to an account, or lets the purchase wait where the account's purchases do.
    ///
    /// A purchase that waits makes no transaction and no notification, and the customer is charged as things stand
    /// when it is made. One that could not be made now is refused at once.
    ///
    /// - Throws: What ``purchase(accountId:request:)`` throws but `purchase_not_immediate`.
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

    /// The purchases of an account that wait or waited, oldest first.
    ///
    /// - Throws: `account_not_found`.
    public func pendingPurchases(accountId: String) throws(StoreError) -> [PendingPurchase] {
        _ = try accountIndex(accountId)
        return ledger.pendingPurchases.filter { $0.accountId == accountId }
    }

    /// Agrees to a purchase as a parent, or finishes an interrupted one as the customer; it is made now.
    ///
    /// - Parameters:
    ///   - pendingPurchaseId: The purchase.
    ///   - behaviour: What it must be waiting for: ``PurchaseBehaviour/askToBuy`` or
    ///     ``PurchaseBehaviour/interrupted``.
    /// - Throws: `pending_purchase_not_found`, `purchase_not_pending`, `purchase_waits_otherwise`, and what
    ///   ``purchase(accountId:request:)`` throws: the purchase waits on then.
    public mutating func completePendingPurchase(
        _ pendingPurchaseId: String,
        waitingAs behaviour: PurchaseBehaviour
    ) throws(StoreError) -> PurchaseOutcome {
        let position = try openPurchase(pendingPurchaseId)
        let pending = ledger.pendingPurchases[position]
        guard pending.behaviour == behaviour else {
            let call = pending.behaviour == .askToBuy ? "approve" : "resolve"
            let message = "The purchase waits for something else: use POST …/\(pendingPurchaseId)/\(call)."
            throw StoreError(.purchaseWaitsOtherwise, kind: .conflict, message: message)
        }
        let outcome = try complete(pending.request, for: pending.accountId)
        ledger.pendingPurchases[position].state = .completed
        ledger.pendingPurchases[position].transactionId = outcome.transactionId
        return outcome
    }

    /// Refuses a purchase as a parent, or gives an interrupted one up as the customer: nothing is sold or announced.
    ///
    /// - Throws: `pending_purchase_not_found`, `purchase_not_pending`.
    public mutating func declinePendingPurchase(_ pendingPurchaseId: String) throws(StoreError) -> PendingPurchase {
        let position = try openPurchase(pendingPurchaseId)
        ledger.pendingPurchases[position].state = .declined
        return ledger.pendingPurchases[position]
    }

    /// Refuses a purchase at once where the account's purchases wait.
    ///
    /// - Throws: `account_not_found`, `purchase_not_immediate`.
    func checkBuysImmediately(_ accountId: String) throws(StoreError) {
        guard let behaviour = ledger.purchaseBehaviours[try accountIndex(accountId)] else { return }
        let message =
            "The account's purchases wait (\(behaviour.rawValue)), and this one cannot: set them to \"immediate\"."
        throw StoreError(.purchaseNotImmediate, kind: .conflict, message: message)
    }

    private func openPurchase(_ id: String) throws(StoreError) -> Int {
        guard let position = ledger.pendingPurchases.firstIndex(where: { $0.pendingPurchaseId == id }) else {
            let message = "There is no pending purchase \"\(id)\"."
            throw StoreError(.pendingPurchaseNotFound, kind: .notFound, message: message)
        }
        let state = ledger.pendingPurchases[position].state
        guard state == .pending else {
            let message = "The purchase is \(state.rawValue) already."
            throw StoreError(.purchaseNotPending, kind: .conflict, message: message)
        }
        return position
    }
}
