extension PurchaseLedger {
    /// Why the state at an instant is what it is; nil while no transaction of the purchase is known.
    ///
    /// - Parameters:
    ///   - now: The instant asked about.
    ///   - policy: The developer's choices.
    public func explanation(at now: Timestamp, policy: AccessPolicy) -> Explanation? {
        switch state(at: now, policy: policy) {
        case nil: nil
        case .oneTime(let state)?: explanation(of: state)
        case .subscription(let state)?: explanation(of: state, at: now, policy: policy)
        }
    }

    private func explanation(of state: OneTimePurchaseState) -> Explanation {
        guard let transaction = latest else { return Explanation(steps: [], nextChange: nil) }
        let text: String
        switch (transaction.revocation?.kind, state.kind) {
        case (.sharingEnded?, _): text = "It was shared, and the sharing ended."
        case (_?, _): text = "It was bought, and its money was given back."
        case (nil, .unknown): text = "It was bought; what kind of product it is, is not known, so it gives nothing."
        case (nil, _): text = "It was bought, and stands."
        }
        return Explanation(steps: steps(of: transaction, text), nextChange: nil)
    }

    /// A charge in words, by the statements that it is made of.
    private func steps(of charge: TransactionFact, _ text: String) -> [Explanation.Step] {
        let statements = statements(of: charge)
        return statements.prefix(1).map { Explanation.Step(.transaction($0), text) }
            + statements.dropFirst().map { Explanation.Step(.transaction($0), "A copy of it was signed later.") }
    }

    private func explanation(of state: SubscriptionState, at now: Timestamp, policy: AccessPolicy) -> Explanation {
        var steps: [Explanation.Step] = []
        if let transaction = transaction(of: state) { steps += self.steps(of: transaction, text(of: transaction)) }
        steps += stepsAfterPeriod(state, at: now)
        let change = state.nextChangeAt.flatMap { instant -> Explanation.NextChange? in
            guard case .subscription(let next)? = self.state(at: instant, policy: policy) else { return nil }
            return Explanation.NextChange(at: instant, givesAccess: next.givesAccess, status: next.status)
        }
        return Explanation(steps: steps, nextChange: change)
    }

    /// The transaction of the period that a state speaks of.
    private func transaction(of state: SubscriptionState) -> TransactionFact? {
        charges.last { $0.productID == state.productID && $0.purchasedAt == state.periodStartsAt }
    }

    private func text(of transaction: TransactionFact) -> String {
        switch transaction.revocation?.kind {
        case .sharingEnded?: return "The period was shared, and the sharing ended."
        case _?: return "The period was paid, and its money was given back."
        case nil where transaction.isUpgraded:
            return "The customer upgraded to another product. That transaction has not come yet, so this period counts."
        case nil:
            let isFree = transaction.offer?.payment == .freeTrial
            return isFree ? "The period is a free trial." : "The period is paid."
        }
    }

    private func stepsAfterPeriod(_ state: SubscriptionState, at now: Timestamp) -> [Explanation.Step] {
        let end = state.periodEndsAt
        switch state.status {
        case .active where end > now:
            let next = following(at: now).map {
                [Explanation.Step(.transaction($0), "The next period is paid already, and begins then.")]
            }
            return assertion(of: state) + [Explanation.Step(.clock(end), "It lasts until that instant.")]
                + (next ?? intent)
        case .active:
            return [
                Explanation.Step(.clock(end), "It ended at that instant, and was to renew.")
            ] + intent + [
                Explanation.Step(
                    .policy,
                    "No word of the renewal has come yet: a late renewal keeps its access a while."
                )
            ]
        case .inGracePeriod:
            return assertion(of: state) + [Explanation.Step(.clock(end), "It ended at that instant.")]
                + failure(after: state, "The charge failed, and the store gives a grace period.")
        case .inBillingRetry:
            return assertion(of: state) + [Explanation.Step(.clock(end), "It ended at that instant.")]
                + failure(after: state, "The charge failed; the store tries again, without a grace period.")
        case .expired:
            return assertion(of: state) + [Explanation.Step(.clock(end), "It ended at that instant.")]
                + (state.endReason == .billingRetry
                    ? failure(after: state, "The charge failed, and the time in which the store tries again is over.")
                    : record(state.endText))
                + wordOfEnd(state)
        case .revoked:
            return wordOfEnd.map { [Explanation.Step(.status($0), "The store says that it was taken back.")] } ?? []
        }
    }

    /// The store's word that a newer period runs, where that is why there is access.
    private func assertion(of state: SubscriptionState) -> [Explanation.Step] {
        guard
            let status, let renewal, let transaction = transaction(of: state),
            assertedPeriod(after: transaction.end) != nil, transaction.end < state.periodEndsAt
        else { return [] }
        return [
            Explanation.Step(.status(status), "The store told of a newer period, whose transaction has not come yet."),
            Explanation.Step(.renewal(renewal), "The record names the end of the newer period."),
        ]
    }

    /// The renewal record or the status that tells of a failed charge.
    private func failure(after state: SubscriptionState, _ text: String) -> [Explanation.Step] {
        let period = SubscriptionPeriod(start: state.periodStartsAt, end: state.periodEndsAt)
        guard let said = failedCharge(after: period)?.said else { return record(text) }
        return [Explanation.Step(.status(said), text)] + record("The record names the end of the period.")
    }

    /// The store's word that it has ended, where that decides.
    private func wordOfEnd(_ state: SubscriptionState) -> [Explanation.Step] {
        guard let status, wordOfEnd != nil || transaction(of: state)?.revocation != nil else { return [] }
        return [Explanation.Step(.status(status), "The store's own word of the status.")]
    }

    private var intent: [Explanation.Step] {
        record(renewal?.autoRenew == false ? "It will not renew." : "It renews.")
    }

    private func record(_ text: String) -> [Explanation.Step] {
        renewal.map { [Explanation.Step(.renewal($0), text)] } ?? []
    }
}

extension SubscriptionState {
    fileprivate var endText: String {
        switch endReason {
        case .cancelled?: "The customer had turned renewal off."
        case .billingError?: "The store could not charge, and gave up."
        case .priceIncreaseNotAccepted?: "The customer did not agree to a higher price."
        case .productUnavailable?: "The product was no longer sold."
        case .other?: "The store had another reason, which it does not name."
        default: "It did not renew; no signed fact says why."
        }
    }
}
