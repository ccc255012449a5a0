import SubscriptionCore

/// The tables with descriptions, and the schema steps that are generated from them.
package enum StoredTables {
    /// All tables. Add a new table here and to the samples of the conformance checks.
    package static let all: [any TableRecord.Type] = [
        APIKeyRecord.self, APIKeyUse.self, AppRecord.self, AppSettings.self, AuditEntry.self, AuditHead.self,
        CampaignCountChange.self, ConsumptionReport.self, ExtensionCampaign.self, IdempotencyRecord.self,
        Lease.self, ListedProduct.self, MassExtensionOrder.self, NotificationHour.self, OperatorAccount.self,
        OperatorKey.self, PollingProgress.self, ReceiptRecord.self, RecoveryProgress.self, RecoveryWindow.self,
        Refund.self, RefundProgress.self, RefundRequest.self, RefusedClaim.self, RenewalExtension.self,
        RequestedRefund.self, SigningKeyRecord.self, SoldProduct.self, StatusPoll.self, TransferRecord.self,
        WebhookDelivery.self, WebhookEndpoint.self, WebhookProgress.self, WebhookSecret.self,
    ]

    /// A schema step. In both engines it creates the tables, columns and indexes with its number.
    package struct Step: Sendable {
        /// The work after the definitions.
        package enum Work: Sendable {
            /// Nothing.
            case none
            /// Moves the facts of each purchase into its row (decision 44).
            case factsInPurchases
            /// Orders the table of evidence by sequence, with shorter keys (decision 49). SQLite only: the rows of
            /// PostgreSQL have no order.
            case evidenceInOrder
        }

        /// Its number; the `step` of the tables, columns and indexes that it creates.
        package let number: Int
        /// A description for people.
        package let name: String
        /// The work after the definitions.
        package var work = Work.none
    }

    /// The steps after the first twelve, in order and without gaps; each engine lists the first twelve itself. A new
    /// step has the next number. Never edit a released step.
    package static let steps = [
        Step(number: 13, name: "changes by operators"),
        Step(number: 14, name: "facts in the rows of purchases", work: .factsInPurchases),
        Step(number: 15, name: "evidence in order", work: .evidenceInOrder),
        Step(number: 16, name: "recovery windows and leases"),
        Step(number: 17, name: "status polls"),
        Step(number: 18, name: "histories of late joiners"),
        Step(number: 19, name: "extensions of renewal dates"),
        Step(number: 20, name: "extension campaigns"),
        Step(number: 21, name: "refunds, and answers to refund requests"),
        Step(number: 22, name: "webhooks"),
        Step(number: 23, name: "scopes of keys, operators, and the chain of the audit log"),
        Step(number: 24, name: "the time of missing notifications"),
        Step(number: 25, name: "the time of the first call for a mass extension order"),
        Step(number: 26, name: "counts of announced extensions"),
    ]
}
