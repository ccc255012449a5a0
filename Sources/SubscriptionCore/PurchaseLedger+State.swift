extension PurchaseLedger {
    /// The state at a time; nil if no transaction of the purchase is known.
    ///
    /// - Parameters:
    ///   - now: The time of the state.
    ///   - policy: The developer's policy.
    public func state(at now: Timestamp, policy: AccessPolicy) -> PurchaseState? {
        let charges = charges
        guard let latest = charges.latest else { return nil }
        guard latest.kind == .autoRenewable else { return .oneTime(oneTime(latest)) }
        return .subscription(subscription(charges, latest: latest, now: now, policy: policy))
    }

    private func oneTime(_ transaction: TransactionFact) -> OneTimePurchaseState {
        OneTimePurchaseState(
            id: originalID,
            productID: transaction.productID,
            kind: transaction.kind,
            quantity: transaction.quantity,
            ownership: transaction.ownership,
            purchasedAt: transaction.purchasedAt,
            revokedAt: transaction.revocation?.at,
            price: transaction.price,
            storefront: transaction.storefront
        )
    }

    private func subscription(
        _ charges: [TransactionFact],
        latest: TransactionFact,
        now: Timestamp,
        policy: AccessPolicy
    ) -> SubscriptionState {
        let openPeriods = openPeriods(of: charges, at: now)
        // A running or future period counts first. If there is none, the period that ended last counts.
        let current = openPeriods.current(at: now) ?? lastBegun(of: charges) ?? latest
        let following = openPeriods.following(at: now)
        let phase = SubscriptionPhase(ledger: self, current: current, now: now, policy: policy)
        let ended = phase.status == .expired || phase.status == .revoked
        let renews = following != nil || renewal?.autoRenew ?? true
        return SubscriptionState(
            id: originalID,
            productID: current.productID,
            groupID: current.groupID,
            status: phase.status,
            givesAccess: phase.givesAccess,
            periodType: SubscriptionState.PeriodType(current.offer),
            ownership: current.ownership,
            startedAt: timeline.lazy.map(\.originallyPurchasedAt).min() ?? current.originallyPurchasedAt,
            periodStartsAt: current.purchasedAt,
            periodEndsAt: phase.periodEndsAt,
            graceExpiresAt: phase.status == .inGracePeriod ? phase.nextChangeAt : nil,
            autoRenew: renews && !ended,
            nextProductID: renews && !ended
                ? following?.productID ?? renewal?.nextProductID ?? current.productID : nil,
            billingIssue: phase.status == .inGracePeriod || phase.status == .inBillingRetry ? .paymentFailed : nil,
            endReason: phase.endReason,
            endedEarlyAt: ended ? endedEarlyAt(current, phase.status) : nil,
            price: current.price,
            storefront: current.storefront,
            introductoryOfferUsed: !knowsBeginning || timeline.contains { $0.offer?.kind == .introductory },
            nextChangeAt: [phase.nextChangeAt, following?.purchasedAt].lazy.compactMap(\.self).min(),
            nextPeriod: SubscriptionState.NextPeriod(
                price: renews && !ended ? following?.price ?? renewal?.renewalPrice : nil,
                offer: renews && !ended ? following.map(\.offer) ?? renewal?.offer : nil,
                winBackOfferIDs: renewal?.winBackOfferIDs ?? [],
                awaitedUntil: phase.awaitedUntil,
                priceIncreaseAccepted: renews && !ended && following == nil ? renewal?.priceIncreaseAccepted : nil
            ),
            formerProducts: charges.formerProducts(before: current)
        )
    }

    /// The last period that began, of a subscription that the store reports as expired. A renewal that was refunded
    /// before its start did not begin.
    private func lastBegun(of charges: [TransactionFact]) -> TransactionFact? {
        guard endStatus?.status == .expired else { return nil }
        return charges.filter { charge in charge.revocation.map { $0.at >= charge.purchasedAt } ?? true }.latest
    }

    /// When the last period was revoked: by its own transaction, or no later than the signing time of the store's
    /// status.
    private func endedEarlyAt(_ current: TransactionFact, _ status: SubscriptionStatus) -> Timestamp? {
        if let revocation = current.revocation { return revocation.at }
        guard status == .revoked, let statement = endStatus, statement.signedAt < current.end else { return nil }
        return statement.signedAt
    }

    /// The paid period that ends last; the one that ended last if none is open.
    func lastPeriod(at now: Timestamp) -> TransactionFact? {
        openPeriods(of: charges, at: now).max { $0.end < $1.end } ?? latest
    }

    /// The last period of a subscription that ran at some time of a span; nil if none did.
    public func period(between from: Timestamp, and to: Timestamp) -> TransactionFact? {
        charges.last { $0.kind == .autoRenewable && $0.purchasedAt <= to && $0.effectiveEnd > from }
    }

    /// The charge that describes the purchase if no period is running.
    var latest: TransactionFact? { charges.latest }

    /// The periods that have not ended at a time and are in effect, in order of their start; none if the newest status
    /// says that the subscription ended.
    private func openPeriods(of charges: [TransactionFact], at now: Timestamp) -> [TransactionFact] {
        guard endStatus == nil else { return [] }
        let replacing = charges.filter(\.isByHand)
        return charges.filter { $0.end > max(now, $0.purchasedAt) && $0.isInEffect(among: replacing) }
    }

    /// The end of the last period that is paid and has not ended at a time; nil if there is none.
    package func paidUntil(at now: Timestamp) -> Timestamp? {
        openPeriods(of: charges, at: now).lazy.map(\.end).max()
    }

    /// The period that is already paid and begins after the start of the current one.
    func following(at now: Timestamp) -> TransactionFact? {
        openPeriods(of: charges, at: now).following(at: now)
    }

    /// Whether the first transaction is known. If it is not, a transaction with an introductory offer may be missing.
    private var knowsBeginning: Bool {
        timeline.contains { $0.id.rawValue == originalID.rawValue || $0.purchasedAt == $0.originallyPurchasedAt }
    }
}

extension [TransactionFact] {
    /// The charge that ended last; the newest of several. Charges that a known transaction replaced are ignored.
    fileprivate var latest: TransactionFact? {
        let replacing = filter(\.isByHand)
        let candidates = filter { !$0.isUpgraded && !$0.isReplaced(within: replacing) }
        return candidates.max { $1.effectiveEnd >= $0.effectiveEnd } ?? last
    }
}

/// Periods that have not ended at a time, in order of their start.
extension [TransactionFact] {
    /// The running period, or the next one if none is running. Of several, the one that began last counts. A purchase
    /// of additional seats does not count; the period to which they were added does.
    fileprivate func current(at now: Timestamp) -> TransactionFact? {
        let start = start(at: now)
        guard let last = last(where: { $0.purchasedAt <= start }) else { return nil }
        return first { $0.productID == last.productID && $0.end == last.end }
    }

    /// The products of the periods that began before the current one, each with the end of its last period.
    fileprivate func formerProducts(before current: TransactionFact) -> [SubscriptionState.FormerProduct] {
        guard contains(where: { $0.productID != current.productID }) else { return [] }
        var ends: [ProductID: Timestamp] = [:]
        // The loop runs from the last charge to the first: the next change to another product, and the next charge.
        var change: TransactionFact?
        var next: TransactionFact?
        for charge in reversed() {
            if let next, next.productID != charge.productID { change = next }
            next = charge
            guard charge.productID != current.productID, charge.purchasedAt <= current.purchasedAt else { continue }
            let end = change.map { Swift.min(charge.effectiveEnd, $0.purchasedAt) } ?? charge.effectiveEnd
            ends[charge.productID] = Swift.max(end, ends[charge.productID] ?? end)
        }
        return ends.sorted { $0.key < $1.key }.map { .init(id: $0.key, endedAt: $0.value) }
    }

    /// The next period to begin; a purchase that only adds to the current period is skipped.
    fileprivate func following(at now: Timestamp) -> TransactionFact? {
        guard let current = current(at: now) else { return nil }
        let start = start(at: now)
        return first { $0.purchasedAt > start && ($0.productID, $0.end) != (current.productID, current.end) }
    }

    /// The time itself, or the start of the first period if none has begun.
    private func start(at now: Timestamp) -> Timestamp {
        first.map { Swift.max(now, $0.purchasedAt) } ?? now
    }
}

extension TransactionFact {
    /// Whether the store has not revoked it and no purchase replaced it.
    ///
    /// The unused part of a replaced period was refunded at that time, so a refund of the replacement does not restore
    /// it.
    fileprivate func isInEffect(among purchases: [TransactionFact]) -> Bool {
        revocation == nil && !isUpgraded && !isReplaced(within: purchases)
    }

    /// Whether one of the customer's own purchases replaced it.
    fileprivate func isReplaced(within purchases: [TransactionFact]) -> Bool {
        purchases.contains { isReplaced(by: $0) }
    }

    /// When it ended or was revoked, whichever is earlier, but not before it began.
    fileprivate var effectiveEnd: Timestamp {
        guard let revocation else { return end }
        return min(end, max(revocation.at, purchasedAt))
    }
}

extension SubscriptionState.PeriodType {
    /// The type of a period by the offer of its transaction.
    fileprivate init(_ offer: Offer?) {
        switch offer?.kind {
        case .introductory: self = offer?.payment == .freeTrial ? .trial : .introductory
        case .promotional: self = .promotional
        case .offerCode: self = .offerCode
        case .winBack: self = .winBack
        case .other, nil: self = .normal
        }
    }
}
