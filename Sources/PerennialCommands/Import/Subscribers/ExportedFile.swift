import SubscriptionStorage

/// The files of this program among the files of subscribers, by the names of their columns.
enum ExportedFile {
    /// The column with the transaction in `purchases` of a readable export.
    static let purchase = "id"

    private static let readablePurchases: Set<String> = ["app_id", "id", "app_user_id", "evaluated_at"]
    private static let readableEvents: Set<String> = ["app_id", "id", "app_user_id", "recorded_at"]
    /// The columns of `purchases` in an export that can be imported.
    private static let purchaseColumns = Set(CopiedTables.purchases.columns.map(\.name))

    /// Whether it is `purchases` of a readable export.
    static func isReadablePurchases(_ names: Set<String>) -> Bool {
        names.isSuperset(of: readablePurchases)
    }

    /// Whether a CSV file is a readable export or a list of rejected rows. Their texts can have an apostrophe that is
    /// not part of them.
    static func hasApostrophes(_ names: Set<String>) -> Bool {
        isReadablePurchases(names) || names.isSuperset(of: readableEvents) || names.isSuperset(of: RejectedRows.names)
    }

    /// Whether a line of an export in JSON is a purchase without a customer. Such a line omits the customer.
    static func isPurchaseWithoutCustomer(_ names: Set<String>) -> Bool {
        // A readable export has no more about a purchase whose transaction has not arrived.
        if names == ["app_id", purchase] { return true }
        return names.isSuperset(of: ["app_id", "original_transaction_id"]) && names.isSubset(of: purchaseColumns)
            && !names.contains("customer_id")
    }
}
