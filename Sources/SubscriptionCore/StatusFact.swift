/// What the store itself says a subscription's status was when it signed.
///
/// Never stronger than a transaction: it only keeps access while a newer period is known to exist but its transaction
/// has not arrived yet.
public struct StatusFact: Hashable, Sendable, Codable {
    /// The subscription.
    public var originalID: OriginalTransactionID
    /// The status at ``signedAt``.
    public var status: SubscriptionStatus
    /// When the store signed this statement.
    public var signedAt: Timestamp
    /// The signed input that said so.
    public var evidence: EvidenceID

    /// Makes a fact from its parts.
    public init(
        originalID: OriginalTransactionID,
        status: SubscriptionStatus,
        signedAt: Timestamp,
        evidence: EvidenceID
    ) {
        self.originalID = originalID
        self.status = status
        self.signedAt = signedAt
        self.evidence = evidence
    }
}

/// Where a subscription stands. `Documentation/reference/state-diagram.md` draws the arrows.
public enum SubscriptionStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// Paid time, or a free offer, is left.
    case active
    /// A charge failed and the store's grace period runs: access stays.
    case inGracePeriod = "in_grace_period"
    /// A charge failed and the store keeps trying, without grace: no access.
    case inBillingRetry = "in_billing_retry"
    /// It ended.
    case expired
    /// The present period was taken back.
    case revoked
}

/// One statement out of a signed input.
public enum Fact: Hashable, Sendable {
    /// About a transaction.
    case transaction(TransactionFact)
    /// About a subscription's renewal.
    case renewal(RenewalFact)
    /// About a subscription's status.
    case status(StatusFact)

    /// The purchase the fact is about.
    public var originalID: OriginalTransactionID {
        switch self {
        case .transaction(let fact): fact.originalID
        case .renewal(let fact): fact.originalID
        case .status(let fact): fact.originalID
        }
    }
}
