import AppStoreModel
import AppStoreSigning
import SubscriptionCore
import SubscriptionIntake
package import SubscriptionStorage

/// The content of a stored input, parsed by this version. It was verified when it was received.
struct ParsedEvidence {
    /// The facts in it.
    let facts: [Fact]
    /// The announcement in it.
    let announcement: SubscriptionEvent?
    /// Its name for the purchase.
    let purchaseName: PurchaseName?
    /// Whether it is a notification of a type that this version does not know.
    let isOfUnknownType: Bool

    /// Parses the stored bytes.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    init(_ record: EvidenceRecord) throws(StorageError) {
        do {
            let payload = try UnverifiedJWS.payload(of: record.signedBytes)
            switch record.kind {
            case .transaction:
                facts = [AppleIntake.fact(of: try JWSTransactionDecodedPayload(json: payload), evidence: record.id)]
                announcement = nil
                purchaseName = nil
                isOfUnknownType = false
            case .renewal:
                facts = [AppleIntake.fact(of: try JWSRenewalInfoDecodedPayload(json: payload), evidence: record.id)]
                announcement = nil
                purchaseName = nil
                isOfUnknownType = false
            case .notification:
                let notification = try ResponseBodyV2DecodedPayload(json: payload)
                let transaction = try Self.inner(notification.data?.signedTransactionInfo)
                    .map(JWSTransactionDecodedPayload.init(json:))
                let renewal = try Self.inner(notification.data?.signedRenewalInfo)
                    .map(JWSRenewalInfoDecodedPayload.init(json:))
                let appTransaction = try Self.inner(notification.appData?.signedAppTransactionInfo)
                    .map(JWSAppTransactionDecodedPayload.init(json:))
                facts = AppleIntake.facts(
                    of: notification,
                    transaction: transaction,
                    renewalInfo: renewal,
                    evidence: record.id
                )
                announcement = AppleIntake.announcement(
                    of: notification,
                    transaction: transaction,
                    renewalInfo: renewal,
                    appTransaction: appTransaction
                )
                purchaseName = AppleIntake.purchaseName(of: notification, transaction: transaction)
                isOfUnknownType = !AppleIntake.isKnown(notification)
            }
        } catch {
            throw StorageError.unreadableInput(detail: "\(record.id): \(error)")
        }
    }

    private static func inner(_ jws: String?) throws(VerificationFailure) -> JSONObject? {
        guard let jws else { return nil }
        return try UnverifiedJWS.payload(of: Array(jws.utf8))
    }
}

extension EvidenceRecord {
    /// Requires that this version can read the stored bytes.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package func requireReadable() throws(StorageError) { _ = try ParsedEvidence(self) }
}
