/// The tables that have a description, and the schema steps that are made from descriptions.
package enum StoredTables {
    /// All of them. A new table is added here, and to the samples of the conformance checks.
    package static let all: [any TableRecord.Type] = [
        APIKeyRecord.self, AppRecord.self, AppSettings.self, AuditEntry.self, IdempotencyRecord.self,
        ListedProduct.self, ReceiptRecord.self,
        RefusedClaim.self, SigningKeyRecord.self, SoldProduct.self, TransferRecord.self,
    ]

    /// A step of the schema. Both engines define in it what the descriptions say of its number.
    package struct Step: Sendable {
        /// What an engine does after the definitions.
        package enum Work: Sendable {
            /// Nothing.
            case none
            /// Moves the facts of each purchase into its row (decision 44).
            case factsInPurchases
            /// Orders the table of evidence by sequence, with shorter keys (decision 49). SQLite only: the rows of
            /// PostgreSQL have no order.
            case evidenceInOrder
        }

        /// Its number among all steps; the `step` of tables, columns and indexes that it defines.
        package let number: Int
        /// What it adds, for people.
        package let name: String
        /// What an engine does after the definitions.
        package var work = Work.none
    }

    /// The steps after the first twelve, in order and without a gap; each engine lists those twelve itself. A new step
    /// has the next number. A step that was released is never edited.
    package static let steps = [
        Step(number: 13, name: "changes by operators"),
        Step(number: 14, name: "facts in the rows of purchases", work: .factsInPurchases),
        Step(number: 15, name: "evidence in order", work: .evidenceInOrder),
    ]
}
