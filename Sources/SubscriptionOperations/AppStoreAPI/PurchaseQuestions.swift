import AppStoreClient
import AppStoreModel
import SubscriptionCore

/// Signed data about the purchases of one customer of the App Store, as its API gave it; not verified yet.
struct SignedPurchases: Sendable {
    /// Compact JWS of transactions, the older changes first.
    fileprivate(set) var transactions: [String] = []
    /// Compact JWS of renewal records.
    fileprivate(set) var renewals: [String] = []
}

/// Asks the App Store Server API about one customer.
struct PurchaseQuestions: Sendable {
    /// How many pages of a history are read at most: 2,000 transactions of one customer.
    private static let pagesMax = 100

    /// Calls the API.
    let api: AppStoreServerAPIClient.App
    /// Any transaction of the customer.
    let transactionID: String
    /// The field of the request that named it, for errors.
    let parameter: String

    /// The one transaction.
    ///
    /// - Throws: ``OperationError``.
    func transaction() async throws(OperationError) -> SignedPurchases {
        let info = try await call { () throws(AppStoreClientError) in
            try await api.getTransactionInfo(transactionId: transactionID)
        }
        return SignedPurchases(transactions: [info.value.signedTransactionInfo])
    }

    /// All transactions.
    ///
    /// - Throws: ``OperationError``; `history_too_long` where there are more than 2,000.
    func history() async throws(OperationError) -> SignedPurchases {
        var found = SignedPurchases()
        var pages = api.transactionHistory(anyTransactionId: transactionID).makeAsyncIterator()
        do throws(AppStoreClientError) {
            for _ in 0..<Self.pagesMax {
                guard let page = try await pages.next() else { return found }
                found.transactions += page.signedTransactions
            }
            guard try await pages.next() != nil else { return found }
        } catch {
            throw OperationError(error, parameter: parameter)
        }
        throw .historyTooLong
    }

    /// The transactions of the order that ``transactionID`` names; none where the order is not the app's.
    ///
    /// - Throws: ``OperationError``.
    func orderedTransactions() async throws(OperationError) -> SignedPurchases {
        let answer = try await call { () throws(AppStoreClientError) in
            try await api.lookUpOrderId(orderId: transactionID)
        }
        return SignedPurchases(transactions: answer.value.signedTransactions ?? [])
    }

    /// The transactions that changed last: one page.
    ///
    /// - Throws: ``OperationError``.
    func newestTransactions() async throws(OperationError) -> SignedPurchases {
        let page = try await call { () throws(AppStoreClientError) in
            try await api.getTransactionHistory(
                anyTransactionId: transactionID,
                filter: TransactionHistoryFilter(sort: .descending)
            )
        }
        return SignedPurchases(transactions: page.value.signedTransactions.reversed())
    }

    /// What the customer's subscriptions are now: the latest transaction and the renewal record of each.
    ///
    /// The status beside them is not signed and is left.
    ///
    /// - Throws: ``OperationError``.
    func subscriptions() async throws(OperationError) -> SignedPurchases {
        let answer = try await call { () throws(AppStoreClientError) in
            try await api.getAllSubscriptionStatuses(anyTransactionId: transactionID)
        }
        let latest = answer.value.data.flatMap(\.lastTransactions)
        return SignedPurchases(
            transactions: latest.map(\.signedTransactionInfo),
            renewals: latest.map(\.signedRenewalInfo)
        )
    }

    private func call<Value>(
        _ body: () async throws(AppStoreClientError) -> Value
    ) async throws(OperationError) -> Value {
        do {
            return try await body()
        } catch {
            throw OperationError(error, parameter: parameter)
        }
    }
}

extension OperationError {
    fileprivate static let historyTooLong = OperationError(
        "history_too_long",
        "The customer has more than 2,000 transactions. Send the signed transactions of the app instead.",
        kind: .invalidRequest,
        parameter: "app_receipt"
    )
}
