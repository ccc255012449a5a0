public import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities

extension LocalAppStore {
    /// Checks a receipt and returns all purchases of its customer, as `/verifyReceipt` does.
    ///
    /// The receipt only has to be authentic; the answer shows the current state.
    ///
    /// - Source: App Store Receipts, verifyReceipt.
    /// - Parameter request: The body; `nil` if it is unreadable.
    public mutating func verifyReceipt(_ request: VerifyReceiptRequest?) -> JSONObject {
        if let fault = ledger.receipts.takeFault() { return fault.answer }
        guard let request else { return Self.answer(.malformed) }
        do throws(ReceiptRefusal) {
            return try answer(request)
        } catch {
            return Self.answer(error.status)
        }
    }

    /// When Apple deprecated receipts: the date in answers of `/verifyReceipt` and in version 1 notifications.
    public static let receiptsDeprecation = "Mon, 5 Jun 2023 23:59:59 GMT"

    /// An answer with only a status.
    public static func answer(_ status: VerifyReceiptStatus) -> JSONObject { ["status": .integer(status.rawValue)] }

    private func answer(_ request: VerifyReceiptRequest) throws(ReceiptRefusal) -> JSONObject {
        guard let authority = receipts else { throw ReceiptRefusal(.notAuthenticated) }
        guard let unverified = try? UnverifiedReceipt.decode(request.receiptData) else {
            return try answerOldForm(request, authority: authority)
        }
        // Before the signature check: the store of the other environment has another root certificate, and only that
        // store can verify it.
        try checkEnvironment(unverified.receipt.environment)
        let expected = ReceiptExpectation(bundleId: configuration.bundleId, environment: configuration.environment)
        let verifier = ReceiptVerifier(roots: [authority.receiptRoot], expecting: expected)
        guard let receipt = verifier.verify(request.receiptData).payload else {
            throw ReceiptRefusal(.notAuthenticated)
        }
        let customer = String(decoding: receipt.opaqueValue, as: UTF8.self)
        guard let account = ledger.account(appTransactionId: customer) else { throw ReceiptRefusal(.accountNotFound) }
        let hasSubscriptions = !ledger[account].subscriptions.isEmpty
        guard !hasSubscriptions || request.password == sharedSecret else { throw ReceiptRefusal(.wrongSharedSecret) }

        var json: JSONObject = [
            "environment": .string(configuration.environment.rawValue),
            "receipt": .object(receiptFields(receipt)),
        ]
        if hasSubscriptions {
            let excludesOld = request.excludesOldTransactions
            json["latest_receipt_info"] = .array(latestReceiptInfo(of: account, excludesOld: excludesOld))
            json["latest_receipt"] = .string(try latestReceipt(of: account))
            json["pending_renewal_info"] = .array(pendingRenewalInfo(of: account))
        }
        json["status"] = .integer(VerifyReceiptStatus.valid.rawValue)
        return json
    }

    /// Refuses receipts of the other environment; a receipt of neither is not refused here.
    func checkEnvironment(_ environment: AppStoreEnvironment?) throws(ReceiptRefusal) {
        switch (environment, configuration.environment) {
        case (.sandbox, .production): throw ReceiptRefusal(.sandboxReceipt)
        case (.production, .sandbox): throw ReceiptRefusal(.productionReceipt)
        default: break
        }
    }

    private func latestReceipt(of account: LedgerIndex<Account>) throws(ReceiptRefusal) -> String {
        do { return try mint(receiptContent(of: account)) } catch { throw ReceiptRefusal(.dataAccessFailed) }
    }

    /// The member `receipt`: the content of the receipt that was sent.
    ///
    /// - Source: App Store Receipts, `responseBody.Receipt`.
    private func receiptFields(_ receipt: AppReceipt) -> JSONObject {
        var json: JSONObject = [
            "receipt_type": .string(receipt.receiptType?.rawValue ?? ""),
            "adam_id": .integer(receipt.appItemId ?? 0),
            "app_item_id": .integer(receipt.appItemId ?? 0),
            "bundle_id": .string(receipt.bundleId),
            "application_version": .string(receipt.applicationVersion ?? ""),
            "download_id": .integer(receipt.downloadId ?? 0),
            "version_external_identifier": .integer(receipt.versionExternalIdentifier ?? 0),
        ]
        json.addDate("receipt_creation_date", receipt.creationDate)
        json.addDate("request_date", now)
        json.addDate("original_purchase_date", receipt.originalPurchaseDate)
        json.addText("original_application_version", receipt.originalApplicationVersion)
        json.addDate("expiration_date", receipt.expirationDate)
        json["in_app"] = .array(receipt.inAppPurchases.map { .object(inAppFields($0)) })
        return json
    }
}

/// Why a receipt is refused.
struct ReceiptRefusal: Error {
    let status: VerifyReceiptStatus

    init(_ status: VerifyReceiptStatus) { self.status = status }
}
