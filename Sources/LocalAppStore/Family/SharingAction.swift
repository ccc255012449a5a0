import AppStoreModel

/// A step by which an event of a purchaser reaches family members and members with seats.
enum SharingAction: Hashable, Sendable {
    /// Gives a member a shareable subscription of the purchaser.
    case share(LedgerIndex<Subscription>, with: LedgerIndex<Account>)
    /// Gives a member a shareable one-time purchase.
    case sharePurchase(LedgerIndex<Transaction>, with: LedgerIndex<Account>)
    /// Takes a subscription from a member.
    case withdraw(LedgerIndex<Subscription>, RevocationReason)
    /// Takes the next period of a subscription from a member, because its early charge was refunded.
    case withdrawNextPeriod(of: LedgerIndex<Subscription>, in: LedgerIndex<Subscription>, RevocationReason)
    /// Takes a one-time purchase from a member.
    case withdrawPurchase(LedgerIndex<Transaction>, RevocationReason)
    /// Repeats an event of the purchaser's subscription in a member's.
    case follow(NotificationType, NotificationSubtype?, of: LedgerIndex<Subscription>, in: LedgerIndex<Subscription>)
    /// Takes the newest period of the purchaser's subscription as known to a member, who gets no transaction for it.
    case skipPeriod(of: LedgerIndex<Subscription>, in: LedgerIndex<Subscription>, for: LedgerIndex<Account>)
    /// Frees all seats of members.
    case forgetSeatMembers(LedgerIndex<Subscription>)
}

extension LocalAppStore {
    /// How others follow what was just announced to a purchaser.
    func sharing(
        of type: NotificationType,
        _ subtype: NotificationSubtype?,
        transaction: LedgerIndex<Transaction>
    ) -> [SharingAction] {
        familySharing(of: type, subtype, transaction: transaction)
            + seatSharing(of: type, subtype, transaction: transaction)
    }

    /// Carries out a step of sharing.
    mutating func apply(_ action: SharingAction) {
        switch action {
        case .share(let subscription, let member): share(subscription, with: member)
        case .sharePurchase(let purchase, let member): share(purchase, with: member)
        case .withdraw(let copy, let reason): revoke(copy, reason: reason)
        case .withdrawNextPeriod(let subscription, let copy, let reason):
            revokeNextPeriod(of: subscription, in: copy, reason: reason)
        case .withdrawPurchase(let copy, let reason): revoke(copy, reason: reason)
        case .follow(let type, let subtype, let subscription, let copy):
            repeatInFamily(type, subtype, of: subscription, in: copy)
        case .skipPeriod(let subscription, let copy, let member):
            let latest = ledger[subscription].latest
            ledger.family.note(copy, of: subscription, period: latest, for: member)
        case .forgetSeatMembers(let subscription): ledger.seats.setMembers([], of: subscription)
        }
    }

    private func familySharing(
        of type: NotificationType,
        _ subtype: NotificationSubtype?,
        transaction: LedgerIndex<Transaction>
    ) -> [SharingAction] {
        guard !ledger.family.isEmpty, ledger[transaction].ownership == .purchased,
            ledger.planKind(of: transaction).isSharedInFamilies
        else { return [] }
        let members = ledger.family.members(of: ledger[transaction].account)
        guard let subscription = ledger[transaction].subscription else {
            return members.compactMap { familyStep(of: type, purchase: transaction, for: $0) }
        }
        return members.compactMap { familyStep(of: type, subtype, subscription, transaction: transaction, for: $0) }
    }

    private func familyStep(
        of type: NotificationType,
        purchase: LedgerIndex<Transaction>,
        for member: LedgerIndex<Account>
    ) -> SharingAction? {
        switch type {
        case .oneTimeCharge, .refundReversed: return .sharePurchase(purchase, with: member)
        case .refund:
            guard let copy = ledger.family.copy(of: purchase, for: member) else { return nil }
            return .withdrawPurchase(copy, ledger[purchase].revocation?.reason ?? .other)
        default: return nil
        }
    }

    private func familyStep(
        of type: NotificationType,
        _ subtype: NotificationSubtype?,
        _ subscription: LedgerIndex<Subscription>,
        transaction: LedgerIndex<Transaction>,
        for member: LedgerIndex<Account>
    ) -> SharingAction? {
        let isLatest = ledger[subscription].latest == transaction
        let copy = ledger.family.copy(of: subscription, for: member)
        switch type {
        case .subscribed: return .share(subscription, with: member)
        case .refundReversed: return isLatest ? .share(subscription, with: member) : nil
        case .refund:
            guard let copy else { return nil }
            let reason = ledger[transaction].revocation?.reason ?? .other
            if hasLostNextPeriod(copy, of: subscription) {
                return .withdrawNextPeriod(of: subscription, in: copy, reason)
            }
            return ledger[subscription].state == .revoked && isLatest ? .withdraw(copy, reason) : nil
        case .didRenew, .didFailToRenew, .gracePeriodExpired, .expired, .didChangeRenewalPref,
            .didChangeRenewalStatus, .renewalExtended, .offerRedeemed:
            guard let copy, ledger[copy].state != .revoked else {
                // A shareable plan may follow one that is not shareable.
                return .share(subscription, with: member)
            }
            return .follow(type, subtype, of: subscription, in: copy)
        default: return nil
        }
    }

    /// Changes of the number of seats and refunds of some do not concern the members, and create no transactions.
    private func seatSharing(
        of type: NotificationType,
        _ subtype: NotificationSubtype?,
        transaction: LedgerIndex<Transaction>
    ) -> [SharingAction] {
        guard !ledger.seats.plans.isEmpty, let subscription = ledger[transaction].subscription,
            let plan = ledger.seats.plans[subscription]
        else { return [] }
        let steps: [SharingAction] = plan.members.compactMap { member in
            guard let copy = ledger.family.copy(of: subscription, for: member) else { return nil }
            switch type {
            case .didRenew, .didFailToRenew, .gracePeriodExpired, .expired, .didChangeRenewalStatus, .renewalExtended:
                return .follow(type, subtype, of: subscription, in: copy)
            case .refund where hasLostNextPeriod(copy, of: subscription):
                return .withdrawNextPeriod(of: subscription, in: copy, .other)
            case .refundReversed where lacksNextPeriod(copy, of: subscription):
                return .follow(.subscribed, .resubscribe, of: subscription, in: copy)
            case .didChangeRenewalPref, .refund, .refundReversed:
                return .skipPeriod(of: subscription, in: copy, for: member)
            default: return nil
            }
        }
        return type == .expired ? steps + [.forgetSeatMembers(subscription)] : steps
    }
}
