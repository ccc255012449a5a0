/// The status of a subscription as signed by the store.
///
/// It does not outrank a transaction: it only keeps access if a newer period exists whose transaction has not arrived.
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

/// The status of a subscription. `Documentation/reference/state-diagram.md` shows the transitions.
public enum SubscriptionStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// A paid period or a free offer is running.
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
