public import AppStoreModel
public import SubscriptionCore

/// Translates Apple's verified payloads into facts. No other code knows both models.
///
/// Translation never fails: an unknown value becomes `unknown` or `other`. The evidence contains it verbatim, so a
/// newer version can read it again.
public enum AppleIntake {
    /// The facts of a verified notification.
    ///
    /// The status is about the subscription of the transaction in the same notification. Notifications without a
    /// transaction (`TEST`, `RENEWAL_EXTENSION`/`SUMMARY`, …) have no facts; they are kept as evidence.
    ///
    /// - Parameters:
    ///   - notification: The envelope.
    ///   - transaction: Its `signedTransactionInfo`, decoded.
    ///   - renewalInfo: Its `signedRenewalInfo`, decoded.
    ///   - evidence: The key of the notification's evidence.
    public static func facts(
        of notification: ResponseBodyV2DecodedPayload,
        transaction: JWSTransactionDecodedPayload?,
        renewalInfo: JWSRenewalInfoDecodedPayload?,
        evidence: EvidenceID
    ) -> [Fact] {
        var facts: [Fact] = []
        if let transaction {
            facts.append(.transaction(TransactionFact(transaction, evidence: evidence)))
        }
        if let renewalInfo {
            facts.append(.renewal(RenewalFact(renewalInfo, evidence: evidence)))
        }
        let subscription = renewalInfo?.originalTransactionId ?? transaction?.originalTransactionId
        let status = notification.data?.status.flatMap(SubscriptionCore.SubscriptionStatus.init(apple:))
        if let subscription, let status {
            facts.append(
                .status(
                    StatusFact(
                        originalID: OriginalTransactionID(subscription),
                        status: status,
                        signedAt: Timestamp(milliseconds: notification.signedDate),
                        evidence: evidence
                    )
                )
            )
        }
        return facts
    }

    /// The fact of a verified transaction outside a notification.
    public static func fact(of transaction: JWSTransactionDecodedPayload, evidence: EvidenceID) -> Fact {
        .transaction(TransactionFact(transaction, evidence: evidence))
    }

    /// The fact of a verified renewal record outside a notification.
    public static func fact(of renewalInfo: JWSRenewalInfoDecodedPayload, evidence: EvidenceID) -> Fact {
        .renewal(RenewalFact(renewalInfo, evidence: evidence))
    }

    /// The key of a notification's evidence: retries and the notification history have the same `notificationUUID`.
    public static func evidenceID(notificationUUID: String) -> EvidenceID {
        EvidenceID(notificationUUID: notificationUUID)
    }

    /// The environment of signed data; nil for data that no server may accept (from Xcode and test libraries).
    public static func environment(_ environment: AppStoreEnvironment) -> StoreEnvironment? {
        switch environment {
        case .production: .production
        case .sandbox: .sandbox
        default: nil
        }
    }
}
