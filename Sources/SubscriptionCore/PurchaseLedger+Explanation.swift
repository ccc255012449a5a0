extension PurchaseLedger {
    /// Explains the state at a time; nil if no transaction of the purchase is known.
    ///
    /// - Parameters:
    ///   - now: The time of the state.
    ///   - policy: The developer's policy.
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
        case (nil, .unknown): text = "It was bought, but the kind of product is unknown, so it gives no access."
        case (nil, _): text = "It was bought and was not revoked."
        }
        return Explanation(steps: steps(of: transaction, text), nextChange: nil)
    }

    /// The steps of a charge, one for each of its statements.
    private func steps(of charge: TransactionFact, _ text: String) -> [Explanation.Step] {
        let statements = statements(of: charge)
        return statements.prefix(1).map { Explanation.Step(.transaction($0), text) }
            + statements.dropFirst().map { Explanation.Step(.transaction($0), "A copy of it was signed later.") }
    }

    private func explanation(of state: SubscriptionState, at now: Timestamp, policy: AccessPolicy) -> Explanation {
        var steps: [Explanation.Step] = []
        if let transaction = transaction(of: state) { steps += self.steps(of: transaction, text(of: transaction)) }
        steps += stepsAfterPeriod(state, at: now)
        let change = state.nextChangeAt.flatMap { time -> Explanation.NextChange? in
            guard case .subscription(let next)? = self.state(at: time, policy: policy) else { return nil }
            return Explanation.NextChange(at: time, givesAccess: next.givesAccess, status: next.status)
        }
        return Explanation(steps: steps, nextChange: change)
    }

    /// The transaction of the state's period.
    private func transaction(of state: SubscriptionState) -> TransactionFact? {
        charges.last { $0.productID == state.productID && $0.purchasedAt == state.periodStartsAt }
    }

    private func text(of transaction: TransactionFact) -> String {
        switch transaction.revocation?.kind {
        case .sharingEnded?: return "The period was shared, and the sharing ended."
        case _?: return "The period was paid, and its money was given back."
        case nil where transaction.isUpgraded:
            return "The customer upgraded to another product. Its transaction has not arrived, so this period counts."
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
            return assertion(of: state) + [Explanation.Step(.clock(end), "It lasts until that time.")]
                + (next ?? intent)
        case .active:
            return [
                Explanation.Step(.clock(end), "It ended at that time, and was to renew.")
            ] + intent + [
                Explanation.Step(
                    .policy,
                    "The renewal has not been reported yet. A late renewal keeps access for a limited time."
                )
            ]
        case .inGracePeriod:
            return assertion(of: state) + [Explanation.Step(.clock(end), "It ended at that time.")]
                + failure(after: state, "The charge failed, and the store gives a grace period.")
        case .inBillingRetry:
            return assertion(of: state) + [Explanation.Step(.clock(end), "It ended at that time.")]
                + failure(after: state, "The charge failed; the store tries again, without a grace period.")
        case .expired:
            return assertion(of: state) + [Explanation.Step(.clock(end), "It ended at that time.")]
                + (state.endReason == .billingRetry
                    ? failure(after: state, "The charge failed, and the time in which the store tries again is over.")
                    : record(state.endText))
                + endStatusSteps(state)
        case .revoked:
            return endStatus.map { [Explanation.Step(.status($0), "The store says that it was taken back.")] } ?? []
        }
    }

    /// The store's report of a newer period, if that is why there is access.
    private func assertion(of state: SubscriptionState) -> [Explanation.Step] {
        guard
            let status, let renewal, let transaction = transaction(of: state),
            assertedPeriod(after: transaction.end) != nil, transaction.end < state.periodEndsAt
        else { return [] }
        return [
            Explanation.Step(.status(status), "The store reported a newer period. Its transaction has not arrived."),
            Explanation.Step(.renewal(renewal), "The record names the end of the newer period."),
        ]
    }

    /// The renewal record or the status that reports a failed charge.
    private func failure(after state: SubscriptionState, _ text: String) -> [Explanation.Step] {
        let period = SubscriptionPeriod(start: state.periodStartsAt, end: state.periodEndsAt)
        guard let status = failedCharge(after: period)?.status else { return record(text) }
        return [Explanation.Step(.status(status), text)] + record("The record names the end of the period.")
    }

    /// The status by which the subscription ended, if that decides.
    private func endStatusSteps(_ state: SubscriptionState) -> [Explanation.Step] {
        guard let status, endStatus != nil || transaction(of: state)?.revocation != nil else { return [] }
        return [Explanation.Step(.status(status), "The store reported this status.")]
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
        case .billingError?: "The store could not charge and stopped trying."
        case .priceIncreaseNotAccepted?: "The customer did not agree to a higher price."
        case .productUnavailable?: "The product was no longer sold."
        case .other?: "The store gave another reason, without details."
        default: "It did not renew; no signed fact says why."
        }
    }
}
