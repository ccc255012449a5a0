/// A row of a file of subscribers.
struct SubscriberRow: Hashable, Sendable {
    /// What a row says.
    enum Content: Hashable, Sendable {
        /// A customer with a transaction of a purchase, or with a receipt.
        case subscriber(user: String, purchase: String)
        /// A row about another store, or about a purchase without a customer.
        case skipped
        /// A row that cannot be used.
        case bad(SubscriberProblem)
    }

    /// The line on which it begins; the first is 1.
    var line: Int
    /// What it says.
    var content: Content
}

/// Why a row was not imported.
struct SubscriberProblem: Hashable, Sendable {
    /// The stable reason.
    var code: String
    /// What is wrong and what to do.
    var message: String
    /// The user in the row, if it could be read.
    var user = ""
    /// A transaction in the row, if one could be read; one of a rejected receipt is not verified.
    var transactionID = ""
}

/// The names of the columns of a file of subscribers.
///
/// A file may have several known columns with the same meaning. In each row, the first one that is not empty counts.
/// Known are a plain list, the purchases of `perennial export` in every format and its `claims.ndjson`, and
/// RevenueCat's export of transactions. The names of RevenueCat are unverified, so options can name others.
struct SubscriberColumns: Sendable {
    static let users = [
        "app_user_id", "user", "user_id", "customer_id", "rc_last_seen_app_user_id_alias", "rc_original_app_user_id",
    ]
    /// The column with the store of a purchase in RevenueCat's export.
    static let store = "store"
    static let appStore = "app_store"

    /// The columns with the customer, the preferred one first.
    let users: [String]
    /// The columns with the transaction or the receipt, the preferred one first.
    let purchases: [String]
    /// The names of the columns whose values are used.
    var read: [String] { users + purchases + [Self.store] }
    private let form: PurchaseForm
    /// Whether a row without a user is a purchase that nobody claimed.
    private let canOmitUser: Bool

    /// Finds the columns among the names of a file; nil if one is missing.
    init?(among names: Set<String>, user: String?, purchase: String?, form: PurchaseForm) {
        var purchases = form.columns
        if case .transactionID = form, ExportedFile.isReadablePurchases(names) {
            purchases.append(ExportedFile.purchase)
            canOmitUser = true
        } else {
            canOmitUser = false
        }
        users = (user.map { [$0] } ?? Self.users).filter(names.contains)
        self.purchases = (purchase.map { [$0] } ?? purchases).filter(names.contains)
        self.form = form
        guard !users.isEmpty, !self.purchases.isEmpty else { return nil }
    }

    /// The content of a row, by the names of its columns.
    func content(_ value: (String) -> String?) -> SubscriberRow.Content {
        if let store = value(Self.store), !store.isEmpty, store != Self.appStore { return .skipped }
        func first(_ columns: [String]) -> String {
            for name in columns {
                if let text = value(name), !text.isEmpty { return text }
            }
            return ""
        }
        let user = first(users)
        let purchase = first(purchases)
        func bad(_ code: String, _ message: String) -> SubscriberRow.Content {
            let transactionID = if case .transactionID = form { purchase } else { "" }
            return .bad(SubscriberProblem(code: code, message: message, user: user, transactionID: transactionID))
        }
        if user.isEmpty, canOmitUser { return .skipped }
        guard !user.isEmpty else { return bad("user_missing", "The row has no user. Complete it, or leave it out.") }
        guard user.utf8.count <= 256 else {
            return bad("user_too_long", "The user has more than 256 bytes. Use a shorter one, or leave the row out.")
        }
        switch form {
        case .transactionID:
            guard !purchase.isEmpty else {
                return bad("transaction_missing", "The row has no transaction id. Complete it, or leave it out.")
            }
            guard purchase.utf8.count <= 64, purchase.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return bad(
                    "transaction_malformed",
                    "A transaction id has digits only. A spreadsheet may have changed it, such as to 2E+15. Export the "
                        + "file again, and do not save it in the spreadsheet."
                )
            }
        case .receipt:
            guard !purchase.isEmpty else {
                return bad("receipt_missing", "The row has no receipt. Complete it, or leave it out.")
            }
        }
        return .subscriber(user: user, purchase: purchase)
    }
}
