/// What follows from the newest renewal record and the newest status of a subscription.
extension PurchaseLedger {
    /// The longest grace period that the store gives.
    private static let graceMillisecondsMax: Int64 = 28 * 24 * 60 * 60 * 1000

    /// The newest status, if it says that the subscription expired or was revoked.
    ///
    /// It overrides the known periods until a newer statement is signed.
    var endStatus: StatusFact? {
        guard
            let status, status.status == .expired || status.status == .revoked,
            isNewerThanTransactions(status), renewal.map({ $0.signedAt <= status.signedAt }) ?? true
        else { return nil }
        return status
    }

    /// A newer period that the store reports before its transaction arrives. Its end may be in the past.
    ///
    /// Accepted only if the status is newer than all known transactions and says that the period is paid or that the
    /// store is charging for the next one.
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

    /// The failed charge for the period after this one, with the end of the grace period if the store gave one; nil if
    /// no charge failed. `status` is the status that reports the failure, if not the renewal record.
    ///
    /// A status does not contain the end of the grace period. If no record does either, the longest grace period is
    /// assumed, limited to the length of the period.
    func failedCharge(after period: SubscriptionPeriod) -> (graceEnd: Timestamp?, status: StatusFact?)? {
        let record = renewal.flatMap { $0.concerns(periodEnding: period.end) ? $0 : nil }
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

    /// Whether the subscription had ended before its newest period was revoked: then it stays expired.
    ///
    /// A status decides if it was signed with the revoked transaction or later, otherwise the renewal record. A status
    /// that says "revoked" decides from the revocation on: a later copy of the transaction takes nothing back.
    func hadEnded(before revocation: Revocation, of transaction: TransactionFact) -> Bool {
        if let status, status.signedAt >= transaction.signedAt { return status.status == .expired }
        if let status, status.signedAt >= revocation.at, status.status == .revoked { return false }
        guard revocation.at >= transaction.end, let renewal else { return false }
        return renewal.expirationReason != nil && !renewal.isInBillingRetry
    }

    /// Why no period followed, by the renewal record about this period.
    ///
    /// An older record with renewal turned off also counts if nothing was bought since.
    func endReason(after end: Timestamp, of transaction: TransactionFact) -> SubscriptionState.EndReason {
        guard let renewal else { return .unknown }
        let concernsPeriod = renewal.concerns(periodEnding: end)
        if concernsPeriod, let reason = renewal.expirationReason { return SubscriptionState.EndReason(reason) }
        let isOfLast = concernsPeriod || renewal.signedAt >= transaction.signedAt
        return isOfLast && !renewal.autoRenew ? .cancelled : .unknown
    }

    /// Whether no known transaction was signed after the status.
    private func isNewerThanTransactions(_ status: StatusFact) -> Bool {
        timeline.allSatisfy { $0.signedAt <= status.signedAt }
    }
}

extension RenewalFact {
    /// Whether the record is about the period with this end or a later one: by its renewal date, or because it was
    /// signed after the end.
    func concerns(periodEnding end: Timestamp) -> Bool { renewsAt ?? end >= end || signedAt >= end }

    /// Whether a renewal is expected and has not failed.
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
