import SubscriptionCore
import SubscriptionStorage

@testable import SubscriptionOperations

/// Verified inputs as the server creates them, without the cryptography.
enum SampleInputs {
    static let app = AppID(bundleID: "com.example.app", environment: .production)
    static let now = Timestamp(milliseconds: 1_770_000_000_000)

    /// A running subscription period.
    static func period(
        of purchase: String = "1000",
        evidence: String,
        token: String? = nil
    ) -> Fact {
        .transaction(
            TransactionFact(
                id: TransactionID(purchase),
                originalID: OriginalTransactionID(purchase),
                productID: ProductID("pro.monthly"),
                kind: .autoRenewable,
                purchasedAt: now,
                originallyPurchasedAt: now,
                signedAt: now,
                evidence: EvidenceID(evidence),
                groupID: SubscriptionGroupID("21000001"),
                expiresAt: now.adding(milliseconds: 30 * 86_400_000),
                accountToken: token
            )
        )
    }

    /// A signed input that contains a fact.
    static func item(
        _ fact: Fact,
        evidence: String,
        kind: EvidenceRecord.Kind = .transaction,
        after predecessor: String? = nil
    ) -> VerifiedInput.Item {
        VerifiedInput.Item(
            evidence: EvidenceRecord(
                appID: app,
                id: EvidenceID(evidence),
                kind: kind,
                signedAt: now,
                receivedAt: now,
                signedBytes: Array("e30.e30.\(evidence)".utf8),
                purchaseID: fact.originalID
            ),
            facts: [fact],
            predecessor: predecessor.map { OriginalTransactionID($0) }
        )
    }

    /// A notification of the store.
    static func notification(
        of purchase: String = "1000",
        evidence: String = "n_1",
        token: String? = nil
    ) -> VerifiedInput {
        let fact = period(of: purchase, evidence: evidence, token: token)
        let notice = VerifiedInput.Notice(
            announcement: nil,
            purchaseName: nil,
            appTransactionID: nil,
            isKnown: true
        )
        return VerifiedInput(
            app: app,
            items: [item(fact, evidence: evidence, kind: .notification)],
            origin: .notification(notice)
        )
    }

    /// A claim by a customer's app.
    static func claim(
        of purchases: [String] = ["1000"],
        by customer: String,
        receipt: ReceiptRecord? = nil
    ) -> VerifiedInput {
        let items = purchases.map { item(period(of: $0, evidence: "t_\($0)"), evidence: "t_\($0)") }
        return VerifiedInput(app: app, items: items, origin: .claim(Claimant(CustomerID(customer)), receipt: receipt))
    }
}
