// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The payload of a signed transaction: one purchase, renewal, or shared copy of one.
///
/// - Source: App Store Server API, JWSTransactionDecodedPayload; each property is the field of the same name.
public struct JWSTransactionDecodedPayload: JSONRepresentable {
    /// Identifies this transaction; each renewal has its own.
    public var transactionId: String
    /// The first transaction of the subscription, or this one.
    public var originalTransactionId: String
    /// Identifies a purchase event of a subscription across devices.
    public var webOrderLineItemId: String?
    /// The app.
    public var bundleId: String
    /// The product.
    public var productId: String
    /// The group of the subscription.
    public var subscriptionGroupIdentifier: String?
    /// When the charge, renewal or restoration happened, in milliseconds since 1970 (UTC).
    public var purchaseDate: Int64
    /// When the original transaction happened, in milliseconds since 1970 (UTC).
    public var originalPurchaseDate: Int64
    /// When the paid period ends, in milliseconds since 1970 (UTC); only a renewal extension changes it.
    public var expiresDate: Int64?
    /// The quantity, 1 if Apple omits it; for a multiseat subscription, the seats.
    public var quantity: Int32
    /// The kind of product.
    public var type: ProductType
    /// The UUID that the app or its server assigned to the customer.
    public var appAccountToken: String?
    /// How the customer owns it.
    public var inAppOwnershipType: InAppOwnershipType
    /// When Apple signed; newer facts have a later date, in milliseconds since 1970 (UTC).
    public var signedDate: Int64
    /// When it was refunded or no longer shared, in milliseconds since 1970 (UTC).
    public var revocationDate: Int64?
    /// Why it was revoked.
    public var revocationReason: RevocationReason?
    /// How it was revoked.
    public var revocationType: RevocationType?
    /// The refunded part, in thousandths of a percent: 0 to 100000.
    public var revocationPercentage: Int32?
    /// Whether an upgrade replaced it; absent otherwise.
    public var isUpgraded: Bool?
    /// The kind of offer that applied.
    public var offerType: OfferType?
    /// The offer; absent for introductory ones.
    public var offerIdentifier: String?
    /// The payment mode of the offer.
    public var offerDiscountType: OfferDiscountType?
    /// The duration of the offer, in ISO 8601.
    public var offerPeriod: String?
    /// Sandbox or production.
    public var environment: AppStoreEnvironment
    /// The storefront's country, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// The storefront's identifier.
    public var storefrontId: String?
    /// Whether the customer bought or the App Store renewed.
    public var transactionReason: TransactionReason?
    /// The price after discount, for the whole quantity, in thousandths of the currency's unit; per seat for multiseat.
    public var price: Int64?
    /// The currency of the price, ISO 4217.
    public var currency: String?
    /// Identifies the customer's download of the app.
    public var appTransactionId: String?
    /// The items of an Advanced Commerce product.
    public var advancedCommerceInfo: AdvancedCommerceTransactionInfo?
    /// The original transaction before a migration to Advanced Commerce.
    public var previousOriginalTransactionId: String?
    /// How a subscription with a commitment is billed.
    public var billingPlanType: BillingPlanType?
    /// The position of a monthly plan in its commitment.
    public var commitmentInfo: TransactionCommitmentInfo?
    /// The seats of a multiseat subscription.
    public var multiSeatInfo: TransactionMultiSeatInfo?
    /// Why the period has more than one transaction.
    public var additionalTransactionReason: AdditionalTransactionReason?
    /// Binds a transaction to a device, base64; only from StoreKit on a device.
    public var deviceVerification: String?
    /// The UUID used for ``deviceVerification``.
    public var deviceVerificationNonce: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        transactionId: String,
        originalTransactionId: String,
        bundleId: String,
        productId: String,
        purchaseDate: Int64,
        originalPurchaseDate: Int64,
        quantity: Int32,
        type: ProductType,
        inAppOwnershipType: InAppOwnershipType,
        signedDate: Int64,
        environment: AppStoreEnvironment,
        webOrderLineItemId: String? = nil,
        subscriptionGroupIdentifier: String? = nil,
        expiresDate: Int64? = nil,
        appAccountToken: String? = nil,
        revocationDate: Int64? = nil,
        revocationReason: RevocationReason? = nil,
        revocationType: RevocationType? = nil,
        revocationPercentage: Int32? = nil,
        isUpgraded: Bool? = nil,
        offerType: OfferType? = nil,
        offerIdentifier: String? = nil,
        offerDiscountType: OfferDiscountType? = nil,
        offerPeriod: String? = nil,
        storefront: String? = nil,
        storefrontId: String? = nil,
        transactionReason: TransactionReason? = nil,
        price: Int64? = nil,
        currency: String? = nil,
        appTransactionId: String? = nil,
        advancedCommerceInfo: AdvancedCommerceTransactionInfo? = nil,
        previousOriginalTransactionId: String? = nil,
        billingPlanType: BillingPlanType? = nil,
        commitmentInfo: TransactionCommitmentInfo? = nil,
        multiSeatInfo: TransactionMultiSeatInfo? = nil,
        additionalTransactionReason: AdditionalTransactionReason? = nil,
        deviceVerification: String? = nil,
        deviceVerificationNonce: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.bundleId = bundleId
        self.productId = productId
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.quantity = quantity
        self.type = type
        self.inAppOwnershipType = inAppOwnershipType
        self.signedDate = signedDate
        self.environment = environment
        self.webOrderLineItemId = webOrderLineItemId
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.expiresDate = expiresDate
        self.appAccountToken = appAccountToken
        self.revocationDate = revocationDate
        self.revocationReason = revocationReason
        self.revocationType = revocationType
        self.revocationPercentage = revocationPercentage
        self.isUpgraded = isUpgraded
        self.offerType = offerType
        self.offerIdentifier = offerIdentifier
        self.offerDiscountType = offerDiscountType
        self.offerPeriod = offerPeriod
        self.storefront = storefront
        self.storefrontId = storefrontId
        self.transactionReason = transactionReason
        self.price = price
        self.currency = currency
        self.appTransactionId = appTransactionId
        self.advancedCommerceInfo = advancedCommerceInfo
        self.previousOriginalTransactionId = previousOriginalTransactionId
        self.billingPlanType = billingPlanType
        self.commitmentInfo = commitmentInfo
        self.multiSeatInfo = multiSeatInfo
        self.additionalTransactionReason = additionalTransactionReason
        self.deviceVerification = deviceVerification
        self.deviceVerificationNonce = deviceVerificationNonce
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        transactionId = try fields.require("transactionId")
        originalTransactionId = try fields.require("originalTransactionId")
        webOrderLineItemId = try fields.optional("webOrderLineItemId")
        bundleId = try fields.require("bundleId")
        productId = try fields.require("productId")
        subscriptionGroupIdentifier = try fields.optional("subscriptionGroupIdentifier")
        purchaseDate = try fields.requireDate("purchaseDate")
        originalPurchaseDate = try fields.requireDate("originalPurchaseDate")
        expiresDate = try fields.optionalDate("expiresDate")
        quantity = try fields.optional("quantity") ?? 1
        type = try fields.require("type")
        appAccountToken = try fields.optional("appAccountToken")
        inAppOwnershipType = try fields.require("inAppOwnershipType")
        signedDate = try fields.requireDate("signedDate")
        revocationDate = try fields.optionalDate("revocationDate")
        revocationReason = try fields.optional("revocationReason")
        revocationType = try fields.optional("revocationType")
        revocationPercentage = try fields.optional("revocationPercentage")
        isUpgraded = try fields.optional("isUpgraded")
        offerType = try fields.optional("offerType")
        offerIdentifier = try fields.optional("offerIdentifier")
        offerDiscountType = try fields.optional("offerDiscountType")
        offerPeriod = try fields.optional("offerPeriod")
        environment = try fields.require("environment")
        storefront = try fields.optional("storefront")
        storefrontId = try fields.optional("storefrontId")
        transactionReason = try fields.optional("transactionReason")
        price = try fields.optional("price")
        currency = try fields.optional("currency")
        appTransactionId = try fields.optional("appTransactionId")
        advancedCommerceInfo = try fields.optional("advancedCommerceInfo")
        previousOriginalTransactionId = try fields.optional("previousOriginalTransactionId")
        billingPlanType = try fields.optional("billingPlanType")
        commitmentInfo = try fields.optional("commitmentInfo")
        multiSeatInfo = try fields.optional("multiSeatInfo")
        additionalTransactionReason = try fields.optional("additionalTransactionReason")
        deviceVerification = try fields.optional("deviceVerification")
        deviceVerificationNonce = try fields.optional("deviceVerificationNonce")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("transactionId", transactionId)
        object.put("originalTransactionId", originalTransactionId)
        object.put("webOrderLineItemId", webOrderLineItemId)
        object.put("bundleId", bundleId)
        object.put("productId", productId)
        object.put("subscriptionGroupIdentifier", subscriptionGroupIdentifier)
        object.put("purchaseDate", purchaseDate)
        object.put("originalPurchaseDate", originalPurchaseDate)
        object.put("expiresDate", expiresDate)
        object.put("quantity", quantity)
        object.put("type", type)
        object.put("appAccountToken", appAccountToken)
        object.put("inAppOwnershipType", inAppOwnershipType)
        object.put("signedDate", signedDate)
        object.put("revocationDate", revocationDate)
        object.put("revocationReason", revocationReason)
        object.put("revocationType", revocationType)
        object.put("revocationPercentage", revocationPercentage)
        object.put("isUpgraded", isUpgraded)
        object.put("offerType", offerType)
        object.put("offerIdentifier", offerIdentifier)
        object.put("offerDiscountType", offerDiscountType)
        object.put("offerPeriod", offerPeriod)
        object.put("environment", environment)
        object.put("storefront", storefront)
        object.put("storefrontId", storefrontId)
        object.put("transactionReason", transactionReason)
        object.put("price", price)
        object.put("currency", currency)
        object.put("appTransactionId", appTransactionId)
        object.put("advancedCommerceInfo", advancedCommerceInfo)
        object.put("previousOriginalTransactionId", previousOriginalTransactionId)
        object.put("billingPlanType", billingPlanType)
        object.put("commitmentInfo", commitmentInfo)
        object.put("multiSeatInfo", multiSeatInfo)
        object.put("additionalTransactionReason", additionalTransactionReason)
        object.put("deviceVerification", deviceVerification)
        object.put("deviceVerificationNonce", deviceVerificationNonce)
        object.put(unknownFields: unknownFields)
        return object
    }
}
