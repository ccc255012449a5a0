import SubscriptionCore

/// Makes one sentence about why an entitlement is active or not, and until when.
struct EntitlementSummary {
    /// How long Apple retries a failed renewal.
    ///
    /// - Source: App Store Server Notifications, `DID_FAIL_TO_RENEW`: "up to 60 days".
    private static let retryDays: Int64 = 60
    private static let dayMilliseconds: Int64 = 86_400_000

    /// The sentence.
    let text: String

    /// The summary of a subscription's entitlement.
    init(_ entitlement: Entitlement, of state: SubscriptionState, at now: Timestamp) {
        if entitlement.inactiveReason == .planChanged {
            text = Self.planChanged(entitlement, of: state, at: now)
            return
        }
        let end = Self.text(state.periodEndsAt, now)
        switch state.status {
        case .active where state.periodEndsAt > now: text = Self.running(entitlement, of: state, at: now)
        case .active:
            let until = state.nextChangeAt.map { " until \(Self.text($0, now))" } ?? ""
            text = "Access\(until): Apple has not reported the renewal due on \(end) yet."
        case .inGracePeriod:
            let until =
                (entitlement.graceExpiresAt ?? state.graceExpiresAt).map { " until \(Self.text($0, now))" } ?? ""
            text = "Access\(until): the renewal due on \(end) failed, and Apple's grace period runs."
        case .inBillingRetry where entitlement.isActive:
            let until = entitlement.graceExpiresAt.map { " until \(Self.text($0, now))" } ?? ""
            text = "Access\(until): the renewal due on \(end) failed, and the grace period of this entitlement runs."
        case .inBillingRetry:
            let last = state.periodEndsAt.adding(milliseconds: Self.retryDays * Self.dayMilliseconds)
            let tries = last > now ? "Apple keeps trying until" : "Apple tried until"
            text = "No access: the renewal due on \(end) failed; \(tries) \(Self.text(last, now))."
        case .expired:
            let ended = Self.text(entitlement.expiresAt ?? state.periodEndsAt, now)
            text = "No access: the subscription ended on \(ended)\(Self.cause(of: state))."
        case .revoked:
            let what = state.endReason == .sharingEnded ? "sharing ended" : "Apple refunded the subscription"
            text = "No access: \(what)\(state.endedEarlyAt.map { " on \(Self.text($0, now))" } ?? "")."
        }
    }

    /// The summary of a one-time purchase's entitlement.
    init(_ entitlement: Entitlement, of state: OneTimePurchaseState, at now: Timestamp) {
        let isBought = state.ownership == .purchased
        guard let revokedAt = state.revokedAt else {
            let bought = Self.text(state.purchasedAt, now)
            let how = isBought ? "the product was bought on" : "the product has been shared with the customer since"
            text =
                entitlement.isActive
                ? "Access without end: \(how) \(bought)."
                : "No access: this version of the server does not know the product's type."
            return
        }
        let what = isBought ? "Apple refunded the purchase" : "sharing ended"
        text = "No access: \(what) on \(Self.text(revokedAt, now))."
    }

    /// The summary of a granted entitlement.
    init(_ state: GrantState, at now: Timestamp) {
        let given = Self.text(state.grant.grantedAt, now)
        switch (state.isActive, state.grant.endsAt) {
        case (true, let end?): text = "Access until \(Self.text(end, now)): an operator granted it on \(given)."
        case (true, nil): text = "Access without end: an operator granted it on \(given)."
        case (false, let end):
            let isRevoked = end != nil && state.grant.revokedAt == end
            let what = isRevoked ? "an operator took the grant back" : "the grant ended"
            text = "No access: \(what)\(end.map { " on \(Self.text($0, now))" } ?? "")."
        }
    }

    /// The summary of a former product's entitlement.
    private static func planChanged(_ entitlement: Entitlement, of state: SubscriptionState, at now: Timestamp)
        -> String
    {
        let former = entitlement.productID.map { " from \($0)" } ?? ""
        let time = entitlement.expiresAt.map { " on \(text($0, now))" } ?? ""
        return "No access: the customer changed\(former) to \(state.productID)\(time), which does not give it."
    }

    /// The summary of a running period.
    private static func running(_ entitlement: Entitlement, of state: SubscriptionState, at now: Timestamp) -> String {
        let end = text(state.periodEndsAt, now)
        let isTrial = state.periodType == .trial
        // A family or group member cannot cancel it or pay for it.
        let subscription =
            state.ownership == .purchased ? "the subscription" : "a subscription that somebody else pays for"
        guard state.autoRenew else {
            return "Access until \(end): \(isTrial ? "a free trial runs, and " : "")renewal is turned off."
        }
        let next = state.nextProductID.flatMap { $0 == state.productID ? nil : $0 }
        if let next, !entitlement.willRenew {
            return "Access until \(end): the customer changes to \(next) then, which does not give it."
        }
        let consent =
            state.nextPeriod.priceIncreaseAccepted == false ? " if the customer agrees to the higher price" : ""
        let renewal = "renews then\(next.map { " as \($0)" } ?? "")\(consent)"
        return isTrial
            ? "Access: a free trial runs until \(end), and the subscription \(renewal)."
            : "Access: \(subscription) is paid until \(end) and \(renewal)."
    }

    /// The reason for the end of a subscription, as the rest of a sentence.
    private static func cause(of state: SubscriptionState) -> String {
        switch state.endReason {
        case .cancelled?: " because renewal was turned off"
        case .billingError?: " because Apple could not charge the renewal"
        case .priceIncreaseNotAccepted?: " because the customer did not agree to a higher price"
        case .productUnavailable?: " because the product was no longer sold"
        case .billingRetry?: " because the renewal failed, and Apple no longer tries to charge"
        case .other?: ", for a reason that Apple does not name"
        case .unknown?:
            """
            , and no renewal has been reported; to ask Apple, send transaction_id \(state.id) to POST \
            /v1/transactions
            """
        case .refunded?, .sharingEnded?, nil: " and did not renew"
        }
    }

    /// The date; within two days of now with the time of day, because sandbox periods last minutes.
    private static func text(_ time: Timestamp, _ now: Timestamp) -> String {
        let near = 2 * dayMilliseconds
        let isNear = time < now.adding(milliseconds: near) && now < time.adding(milliseconds: near)
        return isNear ? time.dateAndTimeText : time.dateText
    }
}
