public import AppStoreModel
public import SubscriptionCore

/// Translates Apple's verified payloads into facts: the only place that knows both vocabularies.
///
/// Translation never fails: a value that this version does not know becomes `unknown` or `other`, and the evidence
/// keeps it verbatim until a newer version reads it again.
public enum AppleIntake {
    /// The facts of a verified notification.
    ///
    /// The status is a statement about the subscription of the transaction it came with. Notifications without a
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

    /// The fact of a verified transaction that came on its own.
    public static func fact(of transaction: JWSTransactionDecodedPayload, evidence: EvidenceID) -> Fact {
        .transaction(TransactionFact(transaction, evidence: evidence))
    }

    /// The fact of a verified renewal record that came on its own.
    public static func fact(of renewalInfo: JWSRenewalInfoDecodedPayload, evidence: EvidenceID) -> Fact {
        .renewal(RenewalFact(renewalInfo, evidence: evidence))
    }

    /// The key of a notification's evidence: Apple keeps `notificationUUID` over retries and in its history.
    public static func evidenceID(notificationUUID: String) -> EvidenceID {
        EvidenceID("notification:" + notificationUUID.lowercased())
    }

    /// The environment of signed data, or nil for data that no server may take (Xcode's, and test libraries').
    public static func environment(_ environment: AppStoreEnvironment) -> StoreEnvironment? {
        switch environment {
        case .production: .production
        case .sandbox: .sandbox
        default: nil
        }
    }
}
