/// The tables that have a description, and the schema steps that are made from descriptions.
package enum StoredTables {
    /// All of them. A new table is added here, and to the samples of the conformance checks.
    package static let all: [any TableRecord.Type] = [
        APIKeyRecord.self, AppRecord.self, AppSettings.self, AuditEntry.self, IdempotencyRecord.self,
        ListedProduct.self, ReceiptRecord.self,
        RefusedClaim.self, SigningKeyRecord.self, SoldProduct.self, TransferRecord.self,
    ]

    /// A step of the schema that both engines make from the descriptions.
    package struct Step: Sendable {
        /// Its number among all steps.
        package let number: Int
        /// What it adds, for people.
        package let name: String
    }

    /// The steps behind those that are written by hand, in order. A step that was released is never edited.
    package static let steps = [Step(number: 13, name: "changes by operators")]
}
