import AppStoreSigning
import SubscriptionCore

/// What the App Store is asked for an identifier, and which purchases of its answer the identifier means.
struct IdentifiedPurchases: Sendable {
    /// The identifier in the form that Apple takes.
    let text: String
    private let identifier: PurchaseIdentifier

    /// Reads an identifier.
    ///
    /// - Throws: ``OperationError`` `receipt_malformed`, `receipt_form_wrong`, `bundle_id_mismatch`.
    init(_ identifier: PurchaseIdentifier, of app: AppID) throws(OperationError) {
        switch identifier {
        case .transaction(let id), .originalTransaction(let id), .appTransaction(let id), .order(let id):
            text = id
            self.identifier = identifier
        case .transactionReceipt(let receipt):
            text = try Self.transaction(in: receipt, of: app)
            self.identifier = .transaction(text)
        }
    }

    /// The transactions that Apple has for the identifier.
    func transactions(_ queries: PurchaseQueries) async throws(OperationError) -> SignedPurchases {
        switch identifier {
        case .originalTransaction, .appTransaction: try await queries.history()
        case .order: try await queries.orderedTransactions()
        case .transaction, .transactionReceipt: try await queries.transaction()
        }
    }

    /// The part of the answer that is claimed: the App Store tells all purchases of a store account.
    ///
    /// - Throws: ``OperationError`` `transaction_not_found`, `order_not_found`, `no_purchases`.
    func claimed(in found: VerifiedPurchases) throws(OperationError) -> VerifiedPurchases {
        switch identifier {
        case .appTransaction:
            guard found.first != nil else { throw .noPurchases }
            return found
        case .order:
            guard !found.identified.isEmpty else { throw .orderNotFound }
            return found.only(found.identified)
        case .originalTransaction(let id):
            let purchase = found.only([OriginalTransactionID(id)])
            guard purchase.first != nil else { throw .notOriginal }
            return purchase
        case .transaction, .transactionReceipt: return found.only(found.identified)
        }
    }

    private static func transaction(in receipt: String, of app: AppID) throws(OperationError) -> String {
        let found = ReceiptTransactions.extract(from: receipt)
        if found.form == .appReceipt { throw .isAppReceipt }
        if let absence = found.absence {
            throw OperationError(
                "receipt_malformed",
                absence.message,
                kind: .invalidRequest,
                parameter: "transaction_receipt",
                detail: absence.code.rawValue
            )
        }
        if let bundle = found.bundleId, app.bundleID != bundle { throw .ofAnotherApp }
        guard let first = found.transactions.first else { throw .noPurchases }
        return first.originalTransactionId ?? first.transactionId
    }
}

extension OperationError {
    fileprivate static let orderNotFound = OperationError(
        "order_not_found",
        "The App Store has no such order of this app. Check the order number in Apple's mail to the customer.",
        kind: .notFound,
        parameter: "order_id"
    )

    fileprivate static let notOriginal = OperationError(
        "transaction_not_found",
        "The App Store has no purchase with this original id. If it is the id of a renewal, send it as transaction_id.",
        kind: .notFound,
        parameter: "original_transaction_id"
    )

    fileprivate static let noPurchases = OperationError(
        "no_purchases",
        "The App Store knows the identifier, but no purchase of it in this app.",
        kind: .notFound
    )

    fileprivate static let isAppReceipt = OperationError(
        "receipt_form_wrong",
        "This is the receipt of an app with all its purchases. Send it as app_receipt.",
        kind: .invalidRequest,
        parameter: "transaction_receipt"
    )

    fileprivate static let ofAnotherApp = OperationError(
        "bundle_id_mismatch",
        "The receipt is of another app than the key.",
        kind: .invalidRequest,
        parameter: "transaction_receipt"
    )
}
