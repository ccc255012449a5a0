package import AppStoreClient
import SubscriptionCore

/// Asks Apple's deprecated `/verifyReceipt` which transactions an app receipt stands for.
///
/// The answer is not signed, so it is never evidence. It names transactions, and the App Store Server API signs what is
/// stored about them.
package struct ReceiptInquiry: Sendable {
    /// What a receipt stands for.
    struct Purchases: Sendable {
        /// A transaction, by which the App Store Server API is asked.
        let transactionID: String
        /// All purchases.
        let purchases: Set<OriginalTransactionID>
    }

    /// Calls Apple.
    private let call: VerifyReceiptCall

    /// Makes an inquiry for one app in one environment.
    package init(_ call: VerifyReceiptCall) { self.call = call }

    /// The purchases of a receipt, whose signature is verified already.
    ///
    /// - Parameter milliseconds: The time limit.
    /// - Returns: Nil if Apple knows no transaction of it.
    /// - Throws: ``OperationError`` `app_store_unavailable`, `shared_secret_wrong`, `receipt_not_accepted`,
    ///   `receipt_environment_mismatch`, `receipt_account_not_found`.
    func purchases(
        in receipt: String,
        milliseconds: Int
    ) async throws(OperationError) -> Purchases? {
        let answer: VerifyReceiptAnswer?
        do {
            answer = try await call.send(receipt, timeout: .milliseconds(milliseconds))
        } catch {
            throw .verifyReceiptUnavailable(detail: error.description)
        }
        guard let answer else { throw .verifyReceiptUnavailable(detail: "the answer is not one of verifyReceipt") }
        if let refusal = OperationError(refusedBy: answer) { throw refusal }
        guard let first = answer.transactions.first else { return nil }
        return Purchases(
            transactionID: first.id,
            purchases: Set(answer.transactions.map { OriginalTransactionID($0.originalID) })
        )
    }
}

extension OperationError {
    /// Why Apple did not answer with transactions; nil for an answer about a valid receipt, expired or not.
    ///
    /// - Source: App Store Receipts, `status`.
    fileprivate init?(refusedBy answer: VerifyReceiptAnswer) {
        switch answer.status {
        case 0, 21_006: return nil
        case 21_003: self = .receiptNotAccepted
        case 21_004: self = .receiptSecretWrong
        case 21_007, 21_008: self = .receiptOfOtherEnvironment
        case 21_010: self = .receiptAccountNotFound
        case 21_100...21_199 where !answer.isRetryable: self = .receiptNotAccepted
        // The signature is verified, so a malformed receipt is Apple's temporary issue.
        default: self = .verifyReceiptUnavailable(detail: "verifyReceipt answered with status \(answer.status)")
        }
    }

    fileprivate static func verifyReceiptUnavailable(detail: String) -> OperationError {
        OperationError(
            "app_store_unavailable",
            "Apple's verifyReceipt did not answer. Nothing was changed; send it again.",
            kind: .unavailable,
            detail: detail
        )
    }

    fileprivate static let receiptSecretWrong = OperationError(
        "shared_secret_wrong",
        "Apple's verifyReceipt refused the shared secret. Set app_store.shared_secret to the app's secret.",
        kind: .unavailable,
        isRetryable: false
    )

    fileprivate static let receiptNotAccepted = OperationError(
        "receipt_not_accepted",
        "Apple's verifyReceipt does not accept the receipt. Let the app refresh it, or send a transaction.",
        kind: .invalidRequest,
        parameter: "app_receipt"
    )

    fileprivate static let receiptOfOtherEnvironment = OperationError(
        "receipt_environment_mismatch",
        "Apple's verifyReceipt has the receipt in another environment than the key. Use the key of that environment.",
        kind: .invalidRequest,
        parameter: "app_receipt"
    )

    fileprivate static let receiptAccountNotFound = OperationError(
        "receipt_account_not_found",
        "Apple has no account for the receipt, or the account was deleted. Its purchases cannot be asked for.",
        kind: .notFound,
        parameter: "app_receipt"
    )
}
