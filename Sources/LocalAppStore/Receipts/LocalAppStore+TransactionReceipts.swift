import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities

// The receipts of iOS 6, one per transaction, which some servers still store.

extension LocalAppStore {
    /// The iOS 6 receipt of one transaction, as in `SKPaymentTransaction.transactionReceipt`.
    ///
    /// - Returns: A property list in base64.
    /// - Throws: `transaction_not_found`, `receipts_not_made`, `signing_failed`.
    public func transactionReceipt(transactionId: String) throws(StoreError) -> String {
        let purchase = InAppPurchaseReceipt(receiptItem(of: try transactionIndex(transactionId)))
        let authority = try receiptAuthority()
        do {
            return try authority.mintTransactionReceipt(
                purchase,
                bundleId: configuration.bundleId,
                environment: configuration.environment
            )
        } catch {
            throw StoreError(.signingFailed, "The receipt could not be signed: \(error).")
        }
    }

    /// The answer for a receipt of one transaction: single objects instead of lists, and 21006 for an expired
    /// subscription.
    ///
    /// - Throws: 21002 for data that is not a receipt.
    func answerOldForm(
        _ request: VerifyReceiptRequest,
        authority: TestReceiptAuthority
    ) throws(ReceiptRefusal) -> JSONObject {
        let found = ReceiptTransactions.extract(from: request.receiptData)
        guard found.form == .transactionReceipt else { throw ReceiptRefusal(.malformed) }
        // Old production receipts did not name their environment.
        try checkEnvironment(found.environment ?? .production)
        guard authority.signed(transactionReceipt: request.receiptData), found.bundleId == configuration.bundleId else {
            throw ReceiptRefusal(.notAuthenticated)
        }
        guard let id = found.transactions.first?.transactionId, let index = ledger.transaction(id: id) else {
            throw ReceiptRefusal(.accountNotFound)
        }
        guard let subscription = ledger[index].subscription else {
            return ["receipt": .object(oldFields(of: index)), "status": .integer(VerifyReceiptStatus.valid.rawValue)]
        }
        guard request.password == sharedSecret else { throw ReceiptRefusal(.wrongSharedSecret) }
        return try oldAnswer(for: subscription, sent: index)
    }

    private func oldAnswer(
        for subscription: LedgerIndex<Subscription>,
        sent: LedgerIndex<Transaction>
    ) throws(ReceiptRefusal) -> JSONObject {
        let latest = ledger[subscription].latest
        let renewal = renewalPayload(of: subscription, signedDate: now)
        var json: JSONObject = [
            "auto_renew_status": .integer(renewal.autoRenewStatus == .on ? 1 : 0),
            "auto_renew_product_id": .string(renewal.autoRenewProductId),
            "receipt": .object(oldFields(of: sent)),
        ]
        guard ledger[latest].coverageEnd > now else {
            json["latest_expired_receipt_info"] = .object(oldFields(of: latest))
            json.addText("expiration_intent", renewal.expirationIntent.map { String($0.rawValue) })
            json.addFlag("is_in_billing_retry_period", renewal.isInBillingRetryPeriod)
            let revocation = ledger[latest].revocation
            json.addText("cancellation_reason", revocation.map { String($0.reason.rawValue) })
            json["status"] = .integer(VerifyReceiptStatus.expired.rawValue)
            return json
        }
        json["latest_receipt_info"] = .object(oldFields(of: latest))
        do {
            json["latest_receipt"] = .string(try transactionReceipt(transactionId: ledger[latest].transactionId))
        } catch {
            throw ReceiptRefusal(.dataAccessFailed)
        }
        json["status"] = .integer(VerifyReceiptStatus.valid.rawValue)
        return json
    }

    /// A transaction in the form of answers for old receipts.
    private func oldFields(of index: LedgerIndex<Transaction>) -> JSONObject {
        let transaction = receiptItem(of: index)
        let purchase = InAppPurchaseReceipt(transaction)
        var json: JSONObject = [
            "bid": .string(configuration.bundleId),
            "bvrs": .string(receiptVersion),
            "app_item_id": .string(String(publishedAppAppleId ?? 0)),
            "item_id": .string(String(itemId(of: transaction.productId))),
            "version_external_identifier": .string(String(receiptRevision)),
            // A fictitious device, as in app receipts that are bound to no device.
            "unique_identifier": .string(String(repeating: "0", count: 40)),
            "unique_vendor_identifier": "00000000-0000-0000-0000-000000000000",
            "quantity": .string(String(transaction.quantity)),
            "product_id": .string(transaction.productId),
            "transaction_id": .string(transaction.transactionId),
            "original_transaction_id": .string(transaction.originalTransactionId),
        ]
        json.addDate("purchase_date", transaction.purchaseDate)
        json.addDate("original_purchase_date", transaction.originalPurchaseDate)
        if let expiresDate = transaction.expiresDate {
            json["expires_date"] = .string(String(expiresDate))
            json["expires_date_formatted"] = .string(ReceiptDateText.utc(expiresDate))
            json["expires_date_formatted_pst"] = .string(ReceiptDateText.pacific(expiresDate))
        }
        json.addText("web_order_line_item_id", transaction.webOrderLineItemId)
        json.addText("is_trial_period", String(transaction.isTrialPeriod))
        json.addText("is_in_intro_offer_period", purchase.isInIntroductoryOfferPeriod.map(String.init))
        json.addDate("cancellation_date", transaction.revocationDate)
        json.addText("cancellation_reason", transaction.revocationReason.map { String($0.rawValue) })
        return json
    }
}
