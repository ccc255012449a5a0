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
        guard let transaction = timeline.last(where: { !$0.isUpgraded }) ?? timeline.last else {
            return Explanation(steps: [], nextChange: nil)
        }
        let text: String
        switch (transaction.revocation?.kind, state.kind) {
        case (.sharingEnded?, _): text = "It was shared, and the sharing ended."
        case (_?, _): text = "It was bought, and its money was given back."
        case (nil, .unknown): text = "It was bought; what kind of product it is, is not known, so it gives nothing."
        case (nil, _): text = "It was bought, and stands."
        }
        return Explanation(steps: [Explanation.Step(.transaction(transaction), text)], nextChange: nil)
    }

    private func explanation(of state: SubscriptionState, at now: Timestamp, policy: AccessPolicy) -> Explanation {
        var steps: [Explanation.Step] = []
        if let transaction = transaction(of: state) { steps.append(step(of: transaction)) }
        steps += stepsAfterPeriod(state, at: now)
        let change = state.nextChangeAt.flatMap { instant -> Explanation.NextChange? in
            guard case .subscription(let next)? = self.state(at: instant, policy: policy) else { return nil }
            return Explanation.NextChange(at: instant, givesAccess: next.givesAccess, status: next.status)
        }
        return Explanation(steps: steps, nextChange: change)
    }

    /// The transaction of the period that a state speaks of.
    private func transaction(of state: SubscriptionState) -> TransactionFact? {
        timeline.last { $0.productID == state.productID && $0.purchasedAt == state.periodStartsAt }
    }

    private func step(of transaction: TransactionFact) -> Explanation.Step {
        let text: String
        switch transaction.revocation?.kind {
        case .sharingEnded?: text = "The period was shared, and the sharing ended."
        case _?: text = "The period was paid, and its money was given back."
        case nil:
            let isFree = transaction.offer?.payment == .freeTrial
            text = isFree ? "The period is a free trial." : "The period is paid."
        }
        return Explanation.Step(.transaction(transaction), text)
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
            return [Explanation.Step(.clock(end), "It ended at that instant.")]
                + record("The charge failed, and the store gives a grace period.")
        case .inBillingRetry:
            return [Explanation.Step(.clock(end), "It ended at that instant.")]
                + record("The charge failed; the store tries again, without a grace period.")
        case .expired:
            return [Explanation.Step(.clock(end), "It ended at that instant.")] + record(state.endText)
                + wordOfEnd(state)
        case .revoked: return []
        }
    }

    /// The store's word that a newer period runs, where that is why there is access.
    private func assertion(of state: SubscriptionState) -> [Explanation.Step] {
        guard
            let status, let renewal, let transaction = transaction(of: state),
            transaction.expiresAt != state.periodEndsAt
        else { return [] }
        return [
            Explanation.Step(.status(status), "The store said that it is active; the transaction has not come yet."),
            Explanation.Step(.renewal(renewal), "The record names the end of the newer period."),
        ]
    }

    /// The store's word that it had ended before its money was given back.
    private func wordOfEnd(_ state: SubscriptionState) -> [Explanation.Step] {
        guard let status, transaction(of: state)?.revocation != nil else { return [] }
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
        default: "It did not renew; no signed fact says why."
        }
    }
}
