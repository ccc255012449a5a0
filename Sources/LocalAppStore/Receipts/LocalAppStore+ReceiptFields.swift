import AppStoreModel
import AppStoreSigning

// The objects that `/verifyReceipt` and version 1 notifications share. All values in them are strings.

extension LocalAppStore {
    /// An entry of `latest_receipt_info`: the transaction in its current state.
    ///
    /// - Source: App Store Receipts, `responseBody.Latest_receipt_info`.
    func latestReceiptInfo(of index: LedgerIndex<Transaction>) -> JSONObject {
        let transaction = receiptItem(of: index)
        var json = receiptFields(InAppPurchaseReceipt(transaction), known: transaction)
        json.addText("app_account_token", transaction.appAccountToken)
        json.addText("is_upgraded", transaction.isUpgraded == true ? "true" : nil)
        json.addText("subscription_group_identifier", transaction.subscriptionGroupIdentifier)
        return json
    }

    /// An entry of `receipt.in_app`: the purchase at the time of the receipt.
    ///
    /// - Source: App Store Receipts, `responseBody.Receipt.In_app`.
    func inAppFields(_ purchase: InAppPurchaseReceipt) -> JSONObject {
        receiptFields(purchase, known: ledger.transaction(id: purchase.transactionId).map(receiptItem))
    }

    /// The shared members of both lists.
    ///
    /// - Parameters:
    ///   - purchase: The purchase at the time of the receipt.
    ///   - transaction: The further data of the ledger.
    private func receiptFields(
        _ purchase: InAppPurchaseReceipt,
        known transaction: JWSTransactionDecodedPayload?
    ) -> JSONObject {
        var json: JSONObject = [
            "quantity": .string(String(purchase.quantity ?? 1)),
            "product_id": .string(purchase.productId),
            "transaction_id": .string(purchase.transactionId),
            "original_transaction_id": .string(purchase.originalTransactionId ?? purchase.transactionId),
        ]
        json.addDate("purchase_date", purchase.purchaseDate)
        json.addDate("original_purchase_date", purchase.originalPurchaseDate)
        json.addDate("expires_date", purchase.expirationDate)
        json.addText("web_order_line_item_id", purchase.webOrderLineItemId.map(String.init))
        json.addText("is_trial_period", String(purchase.isTrialPeriod ?? false))
        json.addText("is_in_intro_offer_period", purchase.isInIntroductoryOfferPeriod.map(String.init))
        if let cancellationDate = purchase.cancellationDate {
            json.addDate("cancellation_date", cancellationDate)
            json.addFlag("cancellation_reason", transaction?.revocationReason == .appIssue)
        }
        json.addText("promotional_offer_id", purchase.promotionalOfferId)
        json.addText("offer_code_ref_name", transaction?.offerCodeReferenceName)
        json.addText("in_app_ownership_type", transaction?.inAppOwnershipType.rawValue)
        return json
    }

    /// The entries of `pending_renewal_info`: one for each subscription of the account.
    ///
    /// A subscription that the customer cancelled during billing retry has none.
    ///
    /// - Source: App Store Receipts, `responseBody.Pending_renewal_info`.
    func pendingRenewalInfo(of account: LedgerIndex<Account>) -> [JSONValue] {
        ledger[account].subscriptions
            .filter { ledger.receipts.withdrawnRenewals[$0] != ledger[$0].latest }
            .map { .object(pendingRenewal(of: $0)) }
    }

    private func pendingRenewal(of index: LedgerIndex<Subscription>) -> JSONObject {
        let renewal = renewalPayload(of: index, signedDate: now)
        var json: JSONObject = [
            "auto_renew_product_id": .string(renewal.autoRenewProductId),
            "product_id": .string(renewal.productId),
            "original_transaction_id": .string(renewal.originalTransactionId),
        ]
        json.addFlag("auto_renew_status", renewal.autoRenewStatus == .on)
        json.addText("expiration_intent", renewal.expirationIntent.map { String($0.rawValue) })
        json.addFlag("is_in_billing_retry_period", renewal.isInBillingRetryPeriod)
        json.addDate("grace_period_expires_date", renewal.gracePeriodExpiresDate)
        json.addFlag("price_consent_status", priceConsent(of: index))
        json.addText("price_increase_status", renewal.priceIncreaseStatus.map { String($0.rawValue) })
        json.addText("promotional_offer_id", renewal.offerType == .promotional ? renewal.offerIdentifier : nil)
        json.addText("offer_code_ref_name", renewal.offerType == .offerCode ? renewal.offerIdentifier : nil)
        return json
    }

    /// Whether the subscriber agreed to an increase; absent if nobody asked.
    private func priceConsent(of index: LedgerIndex<Subscription>) -> Bool? {
        guard let increase = ledger.prices.overrides[index]?.increase, increase.needsConsent,
            increase.stage != .unannounced
        else { return nil }
        return increase.stage == .accepted
    }

    /// The entries of `latest_receipt_info`, newest first.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - excludesOld: Whether to return only the newest transaction of each subscription.
    func latestReceiptInfo(of account: LedgerIndex<Account>, excludesOld: Bool) -> [JSONValue] {
        receiptTransactions(of: account).reversed()
            .filter { index in
                guard excludesOld else { return true }
                return ledger[index].subscription.map { ledger[$0].latest == index } ?? false
            }
            .map { .object(latestReceiptInfo(of: $0)) }
    }
}
