/// What the store says of a subscription beside its transactions: renewal records and statuses, the newest of each.
extension PurchaseLedger {
    /// The longest grace period that the store gives.
    private static let graceMillisecondsMax: Int64 = 28 * 24 * 60 * 60 * 1000

    /// The store's newest word, where it is that the subscription has ended, or was taken back.
    ///
    /// It counts against what is known of the periods until something is signed after it.
    var wordOfEnd: StatusFact? {
        guard
            let status, status.status == .expired || status.status == .revoked,
            isNewerThanTransactions(status), renewal.map({ $0.signedAt <= status.signedAt }) ?? true
        else { return nil }
        return status
    }

    /// A newer period that the store asserts but whose transaction has not arrived; its end may be over.
    ///
    /// Believed only when the store said after everything that is known of the transactions was signed that it is paid
    /// for, or that it tries to charge for the next.
    func assertedPeriod(after end: Timestamp) -> SubscriptionPeriod? {
        guard let status, let renewal, let renewsAt = renewal.renewsAt, renewsAt > end else { return nil }
        guard isNewerThanTransactions(status) else { return nil }
        let isBelieved =
            switch status.status {
            case .active: true
            case .inGracePeriod, .inBillingRetry: renewsAt <= status.signedAt
            case .expired, .revoked: false
            }
        return isBelieved ? SubscriptionPeriod(start: end, end: renewsAt) : nil
    }

    /// That the store could not charge for what follows a period, and until when its grace period lasts, if it gave
    /// one.
    ///
    /// The renewal record says so, or a status that was signed after the record. A status names no end of the grace
    /// period: where no record does, the longest one is assumed, but never more than the period was.
    func failedCharge(after period: SubscriptionPeriod) -> (graceEnd: Timestamp?, said: StatusFact?)? {
        let record = renewal.flatMap { $0.speaks(of: period.end) ? $0 : nil }
        let failed = record.flatMap { $0.isInBillingRetry ? $0 : nil }
        guard
            let status, isNewerThanTransactions(status), renewal.map({ $0.signedAt < status.signedAt }) ?? true,
            status.signedAt >= period.end.adding(milliseconds: -TransactionFact.renewalLeadMilliseconds)
        else { return failed.map { ($0.graceExpiresAt, nil) } }
        switch status.status {
        case .inGracePeriod:
            let known = failed?.graceExpiresAt.flatMap { $0 > status.signedAt ? $0 : nil }
            let longest = period.end.adding(milliseconds: min(Self.graceMillisecondsMax, period.milliseconds))
            return (known ?? longest, status)
        case .inBillingRetry: return (failed?.graceExpiresAt.map { min($0, status.signedAt) }, status)
        case .active, .expired, .revoked: return failed.map { ($0.graceExpiresAt, nil) }
        }
    }

    /// Whether the subscription was over before its newest period was taken back: then it stays expired.
    ///
    /// The store's own word counts where it was signed with the revocation or later; else the renewal record tells.
    func hadEnded(before revocation: Revocation, of transaction: TransactionFact) -> Bool {
        if let status, status.signedAt >= transaction.signedAt { return status.status == .expired }
        guard revocation.at >= transaction.end, let renewal else { return false }
        return renewal.expirationReason != nil && !renewal.isInBillingRetry
    }

    /// Why a period was not followed by another, by the record that speaks of it.
    ///
    /// That the customer had turned renewal off counts as well where an older record says so and nothing was bought
    /// since.
    func endReason(after end: Timestamp, of transaction: TransactionFact) -> SubscriptionState.EndReason {
        guard let renewal else { return .unknown }
        if renewal.speaks(of: end), let reason = renewal.expirationReason { return SubscriptionState.EndReason(reason) }
        let isOfLast = renewal.speaks(of: end) || renewal.signedAt >= transaction.signedAt
        return isOfLast && !renewal.autoRenew ? .cancelled : .unknown
    }

    /// Whether nothing that is known of the transactions was signed after a status.
    private func isNewerThanTransactions(_ status: StatusFact) -> Bool {
        timeline.allSatisfy { $0.signedAt <= status.signedAt }
    }
}

extension RenewalFact {
    /// Whether it speaks of a period that ends at an instant, or of a later one: by the end that it names, or because
    /// it was signed after that.
    func speaks(of end: Timestamp) -> Bool { renewsAt ?? end >= end || signedAt >= end }

    /// Whether the store is to renew, and has not failed to.
    var isDue: Bool { autoRenew && expirationReason == nil && !isInBillingRetry }
}

extension SubscriptionState.EndReason {
    fileprivate init(_ reason: RenewalFact.ExpirationReason) {
        switch reason {
        case .cancelled: self = .cancelled
        case .billingError: self = .billingError
        case .priceIncreaseNotAccepted: self = .priceIncreaseNotAccepted
        case .productUnavailable: self = .productUnavailable
        case .other: self = .other
        }
    }
}
