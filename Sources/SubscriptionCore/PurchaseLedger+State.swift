extension PurchaseLedger {
    /// The state at an instant, or nil while no transaction of the purchase is known.
    ///
    /// - Parameters:
    ///   - now: The instant asked about.
    ///   - policy: The developer's choices.
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
        let lasting = lasting(of: charges, at: now)
        // A period that still runs counts, whatever became of others, or one that is about to; otherwise the one that
        // was over last tells.
        let current = lasting.current(at: now) ?? latest
        let following = lasting.following(at: now)
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

    /// When the last period was taken back: by its own transaction, or by the store's word at the latest when that was
    /// signed.
    private func endedEarlyAt(_ current: TransactionFact, _ status: SubscriptionStatus) -> Timestamp? {
        if let revocation = current.revocation { return revocation.at }
        guard status == .revoked, let word = wordOfEnd, word.signedAt < current.end else { return nil }
        return word.signedAt
    }

    /// What tells of the purchase where no period runs.
    var latest: TransactionFact? { charges.latest }

    /// The periods that are not over at an instant and stand, in order of their beginning; none where the store's
    /// newest word is that it has ended.
    private func lasting(of charges: [TransactionFact], at now: Timestamp) -> [TransactionFact] {
        guard wordOfEnd == nil else { return [] }
        let replacing = charges.filter(\.isByHand)
        return charges.filter { $0.end > max(now, $0.purchasedAt) && $0.stands(beside: replacing) }
    }

    /// The period that is paid already and begins after the present one has begun.
    func following(at now: Timestamp) -> TransactionFact? {
        lasting(of: charges, at: now).following(at: now)
    }

    /// Whether the first transaction is known; one with an introductory offer may be missing where it is not.
    private var knowsBeginning: Bool {
        timeline.contains { $0.id.rawValue == originalID.rawValue || $0.purchasedAt == $0.originallyPurchasedAt }
    }
}

extension [TransactionFact] {
    /// What was over last, and of several the newest. What another transaction took the place of tells nothing, as long
    /// as the other is known.
    fileprivate var latest: TransactionFact? {
        let replacing = filter(\.isByHand)
        return filter { !$0.isUpgraded && !$0.isReplaced(within: replacing) }.max { $1.overAt >= $0.overAt } ?? last
    }
}

/// Periods that are not over at an instant, in order of their beginning.
extension [TransactionFact] {
    /// The period that runs, or where none does, that is to begin: the one that begins last, or what was added to,
    /// where seats were added to it.
    fileprivate func current(at now: Timestamp) -> TransactionFact? {
        let start = start(at: now)
        guard let last = last(where: { $0.purchasedAt <= start }) else { return nil }
        return first { $0.productID == last.productID && $0.end == last.end }
    }

    /// The products of periods that began before another one, each with the end of its last period.
    fileprivate func formerProducts(before current: TransactionFact) -> [SubscriptionState.FormerProduct] {
        guard contains(where: { $0.productID != current.productID }) else { return [] }
        var ends: [ProductID: Timestamp] = [:]
        // From the last to the first: the change to another product that comes next, and the charge behind the present
        // one.
        var change: TransactionFact?
        var behind: TransactionFact?
        for charge in reversed() {
            if let behind, behind.productID != charge.productID { change = behind }
            behind = charge
            guard charge.productID != current.productID, charge.purchasedAt <= current.purchasedAt else { continue }
            let end = change.map { Swift.min(charge.overAt, $0.purchasedAt) } ?? charge.overAt
            ends[charge.productID] = Swift.max(end, ends[charge.productID] ?? end)
        }
        return ends.sorted { $0.key < $1.key }.map { .init(id: $0.key, endedAt: $0.value) }
    }

    /// The next one to begin; what only adds to the present one is none.
    fileprivate func following(at now: Timestamp) -> TransactionFact? {
        guard let current = current(at: now) else { return nil }
        let start = start(at: now)
        return first { $0.purchasedAt > start && ($0.productID, $0.end) != (current.productID, current.end) }
    }

    /// The instant itself, or when the first begins, where none has.
    private func start(at now: Timestamp) -> Timestamp {
        first.map { Swift.max(now, $0.purchasedAt) } ?? now
    }
}

extension TransactionFact {
    /// Whether the store has not taken it back, and nothing took its place.
    ///
    /// The unused part of what was replaced was paid back then, so a refund of the other brings nothing back.
    fileprivate func stands(beside purchases: [TransactionFact]) -> Bool {
        revocation == nil && !isUpgraded && !isReplaced(within: purchases)
    }

    /// Whether another purchase, out of those that the customer made by hand, took its place.
    fileprivate func isReplaced(within purchases: [TransactionFact]) -> Bool {
        purchases.contains { isReplaced(by: $0) }
    }

    /// When it ended, or was taken back before that; what was taken back before it began was over at its beginning.
    fileprivate var overAt: Timestamp {
        guard let revocation else { return end }
        return min(end, max(revocation.at, purchasedAt))
    }
}

extension SubscriptionState.PeriodType {
    /// What a period costs, by the offer on its transaction.
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
