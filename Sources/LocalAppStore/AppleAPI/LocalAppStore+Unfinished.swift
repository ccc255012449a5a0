public import AppStoreModel

extension LocalAppStore {
    /// Records that the app has delivered a purchase of any type: the transaction leaves the payment queue.
    ///
    /// A finished consumable also leaves receipts and version 1 of the history. The call equals Finish Transaction, and
    /// repeated calls have no effect.
    ///
    /// - Source: StoreKit, `finish()`; App Store Receipts, `in_app`.
    /// - Throws: `transaction_not_found`.
    public mutating func finishTransaction(transactionId: String) throws(StoreError) {
        ledger.finished.insert(try transactionIndex(transactionId))
    }

    /// One page of the transactions that an account's app has not finished, oldest first: the payment queue at its
    /// start.
    ///
    /// - Parameters:
    ///   - accountId: The account.
    ///   - cursor: The `nextCursor` of the previous page; `nil` for the first page.
    ///   - limit: The maximum number of transactions, 1 to 1,000.
    /// - Source: StoreKit, `Transaction.unfinished`.
    /// - Throws: `account_not_found`, `cursor_invalid`, `limit_invalid`, `signing_failed`.
    public mutating func unfinishedTransactions(
        accountId: String,
        after cursor: String? = nil,
        limit: Int = 100
    ) throws(StoreError) -> UnfinishedPage {
        let account = try accountIndex(accountId)
        let unfinished = ledger[account].transactions.filter { !ledger.finished.contains($0) }
        let page = try ListPage(of: unfinished.count, after: cursor, limit: limit)
        var transactions: [UnfinishedTransaction] = []
        for index in unfinished[page.range] {
            let payload = transactionPayload(of: index, signedDate: signingDate(of: index))
            transactions.append(
                UnfinishedTransaction(
                    transactionId: ledger[index].transactionId,
                    productId: ledger[index].productId,
                    type: ledger[index].type,
                    signedTransactionInfo: try sign(payload.jsonBytes)
                )
            )
        }
        return UnfinishedPage(transactions: transactions, nextCursor: page.nextCursor)
    }
}

/// A transaction that the app has not finished.
public struct UnfinishedTransaction: Hashable, Sendable {
    /// The transaction.
    public let transactionId: String
    /// What was bought.
    public let productId: String
    /// Its type.
    public let type: ProductType
    /// The transaction as a JWS.
    public let signedTransactionInfo: String
}

/// One page of unfinished transactions.
public struct UnfinishedPage: Hashable, Sendable {
    /// The transactions, oldest first.
    public let transactions: [UnfinishedTransaction]
    /// The cursor of the next page; absent on the last page.
    public let nextCursor: String?
}
