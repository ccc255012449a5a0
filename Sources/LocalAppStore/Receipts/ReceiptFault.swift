import AppStoreModel

/// An injected failure of `/verifyReceipt`.
public struct ReceiptFault: Hashable, Sendable, Codable {
    /// The status in the answer.
    public let status: VerifyReceiptStatus
    /// The number of remaining failures; `nil` for every request.
    public internal(set) var count: Int?
    /// The retry flag of the answer; only with internal errors.
    public let isRetryable: Bool

    /// Describes a failure.
    ///
    /// - Parameters:
    ///   - status: 21002, 21005, 21009 or 21100 to 21199, which Apple returns without a cause in the request.
    ///   - count: The number of failures; `nil` for every request.
    ///   - isRetryable: The retry flag of the answer; only with 21100 to 21199.
    /// - Throws: `receipt_fault_invalid`.
    public init(status: Int64, count: Int? = nil, isRetryable: Bool = true) throws(StoreError) {
        let status = VerifyReceiptStatus(rawValue: status)
        let isInternal = VerifyReceiptStatus.internalErrors.contains(status.rawValue)
        guard isInternal || [.malformed, .unavailable, .dataAccessFailed].contains(status) else {
            throw .receiptFault("status must be 21002, 21005, 21009, or one from 21100 to 21199.", path: "status")
        }
        guard count.map({ $0 > 0 }) ?? true else {
            throw .receiptFault("count must be 1 or more; leave it out for every request.", path: "count")
        }
        self.status = status
        self.count = count
        self.isRetryable = isRetryable
    }

    /// The body of the failure.
    ///
    /// Apple documents the member `is-retryable`, but answers with `is_retryable` were observed: both are included.
    var answer: JSONObject {
        var json = LocalAppStore.answer(status)
        if VerifyReceiptStatus.internalErrors.contains(status.rawValue) {
            json["is_retryable"] = .bool(isRetryable)
            json["is-retryable"] = .bool(isRetryable)
        }
        return json
    }
}

extension LocalAppStore {
    /// The current injected failure of `/verifyReceipt`.
    public var receiptFault: ReceiptFault? { ledger.receipts.fault }

    /// Makes `/verifyReceipt` fail from now on, or work again.
    public mutating func setReceiptFault(_ fault: ReceiptFault?) { ledger.receipts.fault = fault }
}

extension ReceiptLedger {
    /// The failure of the next request, if there is one.
    mutating func takeFault() -> ReceiptFault? {
        guard let current = fault else { return nil }
        if let count = current.count {
            fault?.count = count - 1
            if count == 1 { fault = nil }
        }
        return current
    }
}

extension StoreError {
    fileprivate static func receiptFault(_ message: String, path: String) -> StoreError {
        StoreError(.receiptFaultInvalid, message, path: path)
    }
}

extension StoreError.Code {
    /// The error for a status that `/verifyReceipt` never returns without a cause.
    public static let receiptFaultInvalid = Self("receipt_fault_invalid", .unprocessable)
}
