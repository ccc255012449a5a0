import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities

extension LocalAppStore {
    /// Whether the store was opened with an authority for receipts.
    public var makesReceipts: Bool { receipts != nil }

    /// The root certificate of receipts, in PEM; absent if the store makes none.
    public var receiptRootCertificatePEM: String? { receipts?.rootCertificatePEM }

    /// The app-specific shared secret, 32 hexadecimal digits: `password` of `/verifyReceipt` and of version 1
    /// notifications.
    public var sharedSecret: String { IdentifierSource.sharedSecret(seed: configuration.seed) }

    /// The account's current app receipt, as on the device.
    ///
    /// - Parameters:
    ///   - accountId: The account.
    ///   - deviceIdentifier: The device of the receipt, 16 bytes of `identifierForVendor`; without one, a fictitious
    ///     device.
    /// - Returns: PKCS #7 in base64.
    /// - Throws: `account_not_found`, `receipts_not_made`, `signing_failed`.
    public func appReceipt(accountId: String, forDevice deviceIdentifier: [UInt8]? = nil) throws(StoreError) -> String {
        try mint(receiptContent(of: accountIndex(accountId)), forDevice: deviceIdentifier)
    }

    /// Signs a receipt.
    ///
    /// - Throws: `receipts_not_made`, `signing_failed`.
    func mint(_ receipt: AppReceipt, forDevice deviceIdentifier: [UInt8]? = nil) throws(StoreError) -> String {
        let authority = try receiptAuthority()
        let device = deviceIdentifier ?? Array(repeating: 0, count: 16)
        do {
            return try authority.mintBase64(receipt, forDevice: device)
        } catch {
            throw StoreError(.signingFailed, "The receipt could not be signed: \(error).")
        }
    }

    func receiptAuthority() throws(StoreError) -> TestReceiptAuthority {
        guard let receipts else {
            let message = "This store was opened without an authority for receipts; open it with one to have receipts."
            throw StoreError(.receiptsNotMade, message)
        }
        return receipts
    }
}

// MARK: - The content

extension LocalAppStore {
    /// When every customer of the sandbox got the app, milliseconds since 1970.
    ///
    /// - Source: verifyReceipt, `original_purchase_date`: 2013-08-01 07:00:00 Etc/GMT in the sandbox.
    private static let sandboxOriginalPurchaseDate: Int64 = 1_375_340_400_000
    /// The version that receipts of the sandbox name.
    private static let sandboxVersion = "1.0"
    /// Apple's identifier of the app's revision; this store has only one.
    private static let versionExternalIdentifier: Int64 = 860_000_001

    /// The content of a receipt that is made for the account now.
    ///
    /// The opaque value is the account's app transaction identifier, by which the store finds the account.
    func receiptContent(of index: LedgerIndex<Account>) -> AppReceipt {
        let account = ledger[index]
        let isProduction = configuration.environment == .production
        var receipt = AppReceipt(
            bundleId: configuration.bundleId,
            receiptType: isProduction ? .production : .productionSandbox,
            creationDate: now
        )
        receipt.opaqueValue = Array(account.appTransactionId.utf8)
        receipt.applicationVersion = receiptVersion
        receipt.originalApplicationVersion = receipt.applicationVersion
        receipt.appItemId = publishedAppAppleId ?? 0
        receipt.ageRating = "4+"
        receipt.downloadId = isProduction ? Int64(account.appTransactionId) : 0
        receipt.versionExternalIdentifier = receiptRevision
        let firstPurchase = account.transactions.first.map { ledger[$0].originalPurchaseDate }
        receipt.originalPurchaseDate = isProduction ? firstPurchase ?? now : Self.sandboxOriginalPurchaseDate
        receipt.inAppPurchases = receiptTransactions(of: index).map { transaction in
            var purchase = InAppPurchaseReceipt(receiptItem(of: transaction))
            purchase.itemId = itemId(of: purchase.productId)
            return purchase
        }
        return receipt
    }

    /// The app version in receipts.
    var receiptVersion: String {
        configuration.environment == .production ? configuration.bundleVersion : Self.sandboxVersion
    }

    /// Apple's identifier of the app's revision in receipts.
    var receiptRevision: Int64 { configuration.environment == .production ? Self.versionExternalIdentifier : 0 }

    /// Apple's identifier of a product in receipts: 0 in the sandbox.
    func itemId(of productId: String) -> Int64 {
        configuration.environment == .production ? StoreIdentifier.adamId(ofProduct: productId) : 0
    }

    /// The transactions in a receipt of the account, oldest first: all except finished consumables.
    func receiptTransactions(of index: LedgerIndex<Account>) -> [LedgerIndex<Transaction>] {
        ledger[index].transactions.filter { ledger[$0].type != .consumable || !ledger.finished.contains($0) }
    }

    /// A transaction in the form of receipts.
    func receiptItem(of index: LedgerIndex<Transaction>) -> JWSTransactionDecodedPayload {
        transactionPayload(of: index, signedDate: now)
    }
}

extension InAppPurchaseReceipt {
    /// The receipt fields of a transaction.
    init(_ transaction: JWSTransactionDecodedPayload) {
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
        isTrialPeriod = transaction.isTrialPeriod
        isInIntroductoryOfferPeriod =
            transaction.type == .autoRenewableSubscription ? transaction.isInPaidIntroductoryPeriod : nil
        productType = transaction.type.receiptNumber
        promotionalOfferId = transaction.promotionalOfferId
    }
}

extension JWSTransactionDecodedPayload {
    /// Whether the period is free because of an offer of any kind.
    var isTrialPeriod: Bool { offerDiscountType == .freeTrial }

    /// Whether the period has a paid introductory price.
    var isInPaidIntroductoryPeriod: Bool { offerType == .introductory && !isTrialPeriod }

    /// The redeemed promotional offer.
    var promotionalOfferId: String? { offerType == .promotional ? offerIdentifier : nil }

    /// The offer of the redeemed code.
    var offerCodeReferenceName: String? { offerType == .offerCode ? offerIdentifier : nil }
}

extension ProductType {
    /// The number of a product type in receipts; Apple documents none of them.
    fileprivate var receiptNumber: Int64? {
        switch self {
        case .consumable: 0
        case .nonConsumable: 1
        case .nonRenewingSubscription: 2
        case .autoRenewableSubscription: 3
        default: nil
        }
    }
}

extension StoreError.Code {
    /// The store was created without a receipt authority.
    public static let receiptsNotMade = Self("receipts_not_made", .unprocessable)
}
