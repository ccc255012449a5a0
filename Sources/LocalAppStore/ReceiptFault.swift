import AppStoreModel

/// A failure of `/verifyReceipt` that is played on demand.
public struct ReceiptFault: Hashable, Sendable, Codable {
    /// What is answered.
    public let status: VerifyReceiptStatus
    /// How many requests still fail; `nil` for every one.
    public internal(set) var count: Int?
    /// What the answer says of a retry; only with the internal errors.
    public let isRetryable: Bool

    /// Describes a failure.
    ///
    /// - Parameters:
    ///   - status: 21002, 21005, 21009 or 21100 to 21199, which Apple answers without a cause in the request.
    ///   - count: How many requests fail; `nil` for every one.
    ///   - isRetryable: What the answer says of a retry; only with 21100 to 21199.
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
    /// Apple's pages call the member `is-retryable`, answers were seen with `is_retryable`: both are there.
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
    /// The failure that `/verifyReceipt` plays at present.
    public var receiptFault: ReceiptFault? { ledger.receipts.fault }

    /// Lets `/verifyReceipt` fail from now on, or work again.
    public mutating func setReceiptFault(_ fault: ReceiptFault?) { ledger.receipts.fault = fault }
}

extension ReceiptLedger {
    /// The failure of the next request, if it is to fail.
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
        StoreError(.receiptFaultInvalid, kind: .unprocessable, message: message, path: path)
    }
}

extension StoreError.Code {
    /// `/verifyReceipt` never fails like this without a cause.
    public static let receiptFaultInvalid = Self(rawValue: "receipt_fault_invalid")
}
