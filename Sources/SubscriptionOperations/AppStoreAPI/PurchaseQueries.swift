import AppStoreClient
import AppStoreModel
import SubscriptionCore

/// Unverified signed data from the App Store Server API about the purchases of one customer.
struct SignedPurchases: Sendable {
    /// Compact JWS of transactions, oldest changes first.
    fileprivate(set) var transactions: [String] = []
    /// Compact JWS of renewal records.
    fileprivate(set) var renewals: [String] = []
    /// Whether the whole history of the store account is part of it.
    fileprivate(set) var isWholeHistory = false

    /// The number of signed inputs.
    var count: Int { transactions.count + renewals.count }

    /// The size of the signed inputs.
    ///
    /// - Units: bytes.
    var bytes: Int {
        transactions.reduce(0) { $0 + $1.utf8.count } + renewals.reduce(0) { $0 + $1.utf8.count }
    }

    /// Adds transactions.
    mutating func add(transactions: [String]) { self.transactions += transactions }

    /// Notes that the transactions are the whole history.
    mutating func noteWholeHistory() { isWholeHistory = true }

    /// Adds other data.
    mutating func merge(_ other: SignedPurchases) {
        transactions += other.transactions
        renewals += other.renewals
        isWholeHistory = isWholeHistory || other.isWholeHistory
    }
}

/// Queries the App Store Server API about one customer.
struct PurchaseQueries: Sendable {
    /// The maximum number of history pages: 2,000 transactions of one customer.
    private static let pagesMax = 100

    /// Calls the API.
    let api: AppStoreServerAPIClient.App
    /// Any transaction of the customer.
    let transactionID: String
    /// The field of the request with the transaction, for errors.
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
    /// - Throws: ``OperationError``; `history_too_long` if there are more than 2,000.
    func history() async throws(OperationError) -> SignedPurchases {
        var found = try await all(api.transactionHistory(anyTransactionId: transactionID))
        found.isWholeHistory = true
        return found
    }

    /// All refunded transactions.
    ///
    /// - Throws: ``OperationError``; `history_too_long` if there are more than 2,000.
    func refunds() async throws(OperationError) -> SignedPurchases {
        try await all(api.refundHistory(anyTransactionId: transactionID))
    }

    private func all<Response>(
        _ pages: AppStorePages<Response>
    ) async throws(OperationError) -> SignedPurchases where Response.PageElement == String {
        var found = SignedPurchases()
        var pages = pages.makeAsyncIterator()
        do throws(AppStoreClientError) {
            for _ in 0..<Self.pagesMax {
                guard let page = try await pages.next() else { return found }
                found.transactions += page.elements
            }
            guard try await pages.next() != nil else { return found }
        } catch {
            throw OperationError(error, parameter: parameter)
        }
        throw .historyTooLong
    }

    /// The transactions of the order in ``transactionID``; none if the order is not the app's.
    ///
    /// - Throws: ``OperationError``.
    func orderedTransactions() async throws(OperationError) -> SignedPurchases {
        let answer = try await call { () throws(AppStoreClientError) in
            try await api.lookUpOrderId(orderId: transactionID)
        }
        return SignedPurchases(transactions: answer.value.signedTransactions ?? [])
    }

    /// The first page of the most recently changed transactions.
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

    /// The latest transaction and the renewal record of each of the customer's subscriptions.
    ///
    /// The status in the response is not signed and is ignored.
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
    /// A history has more pages than are read.
    static let historyTooLong = OperationError(
        "history_too_long",
        "The customer has more than 2,000 transactions. Send the signed transactions of the app instead.",
        kind: .invalidRequest,
        parameter: "app_receipt"
    )
}
