public import AppStoreModel
public import AppStoreSigning
import AppStoreTestAuthorities

extension AppStoreTestKit {
    /// Accepts the receipts that this kit creates for its app.
    ///
    /// - Throws: `key_not_made` or `certificate_not_made` if the receipt authority cannot be created.
    public func receiptVerifier() throws(SigningError) -> ReceiptVerifier {
        ReceiptVerifier(roots: [try receiptAuthority().receiptRoot], expecting: ReceiptExpectation(app))
    }

    /// A signed app receipt, created now.
    ///
    /// - Parameters:
    ///   - purchases: Its transactions; the default is one new purchase, and an empty list means none.
    ///   - adjust: Changes any field.
    /// - Returns: PKCS #7 in base64, as apps send it.
    /// - Throws: `key_not_made`, `certificate_not_made` or `signing_failed`.
    public func receipt(
        of purchases: [Minted<JWSTransactionDecodedPayload>]? = nil,
        adjust: (inout AppReceipt) -> Void = { _ in }
    ) throws(SigningError) -> String {
        let transactions =
            purchases?.map(\.payload) ?? [purchase(of: "pro.monthly", type: .autoRenewableSubscription, at: now)]
        var receipt = AppReceipt(
            bundleId: app.bundleId,
            receiptType: app.environment == .production ? .production : .productionSandbox,
            creationDate: max(now, transactions.map(\.purchaseDate).max() ?? now)
        )
        receipt.applicationVersion = "1"
        receipt.originalApplicationVersion = "1.0"
        receipt.originalPurchaseDate = now.subtracting(6 * .defaultPeriod)
        receipt.opaqueValue = Array(0..<16)
        receipt.inAppPurchases = transactions.map(InAppPurchaseReceipt.init)
        adjust(&receipt)
        return try receiptAuthority().mintBase64(receipt)
    }
}

extension InAppPurchaseReceipt {
    /// The receipt record of a transaction.
    fileprivate init(_ transaction: JWSTransactionDecodedPayload) {
        self.init(
            productId: transaction.productId,
            transactionId: transaction.transactionId,
            originalTransactionId: transaction.originalTransactionId,
            quantity: Int64(transaction.quantity),
            purchaseDate: transaction.purchaseDate
        )
        originalPurchaseDate = transaction.originalPurchaseDate
        expirationDate = transaction.expiresDate
        cancellationDate = transaction.revocationDate
        webOrderLineItemId = transaction.webOrderLineItemId.flatMap { Int64($0) }
        if transaction.type == .autoRenewableSubscription {
            isInIntroductoryOfferPeriod = transaction.offerType == .introductory
            isTrialPeriod = transaction.offerDiscountType == .freeTrial
        }
    }
}
