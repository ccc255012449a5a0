// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The payload of signed renewal information of a subscription.
///
/// - Source: App Store Server API, JWSRenewalInfoDecodedPayload; each property is the field of the same name.
public struct JWSRenewalInfoDecodedPayload: JSONRepresentable {
    /// The subscription.
    public var originalTransactionId: String
    /// The product of the current or last period.
    public var productId: String
    /// The product that renews next.
    public var autoRenewProductId: String
    /// Whether it renews.
    public var autoRenewStatus: AutoRenewStatus
    /// Why it ended; only after the end or in billing retry.
    public var expirationIntent: ExpirationIntent?
    /// Whether Apple still retries the charge, including in the grace period.
    public var isInBillingRetryPeriod: Bool?
    /// When the grace period ends, in milliseconds since 1970 (UTC).
    public var gracePeriodExpiresDate: Int64?
    /// The customer's answer to a price increase.
    public var priceIncreaseStatus: PriceIncreaseStatus?
    /// The kind of offer for the next period.
    public var offerType: OfferType?
    /// The offer for the next period.
    public var offerIdentifier: String?
    /// The payment mode of that offer.
    public var offerDiscountType: OfferDiscountType?
    /// The duration of that offer, in ISO 8601.
    public var offerPeriod: String?
    /// When Apple signed; newer facts have a later date, in milliseconds since 1970 (UTC).
    public var signedDate: Int64
    /// Sandbox or production.
    public var environment: AppStoreEnvironment
    /// When the current run started, ignoring gaps of up to 60 days, in milliseconds since 1970 (UTC).
    public var recentSubscriptionStartDate: Int64?
    /// When the latest purchase ends, in milliseconds since 1970 (UTC).
    public var renewalDate: Int64?
    /// The next price with its offer, in thousandths of the currency's unit; per seat for multiseat.
    public var renewalPrice: Int64?
    /// The currency of the price, ISO 4217.
    public var currency: String?
    /// The win-back offers that the customer can redeem, best first.
    public var eligibleWinBackOfferIds: [String]?
    /// Identifies the customer's download of the app.
    public var appTransactionId: String?
    /// The UUID for the next renewal.
    public var appAccountToken: String?
    /// The future items of an Advanced Commerce product.
    public var advancedCommerceInfo: AdvancedCommerceRenewalInfo?
    /// How the next period is billed.
    public var renewalBillingPlanType: BillingPlanType?
    /// The renewal after the current commitment.
    public var commitmentInfo: RenewalCommitmentInfo?
    /// The seats at the next renewal.
    public var renewalQuantity: Int32?
    /// The price tiers of the seats at the next renewal.
    public var multiSeatInfo: RenewalMultiSeatInfo?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        originalTransactionId: String,
        productId: String,
        autoRenewProductId: String,
        autoRenewStatus: AutoRenewStatus,
        signedDate: Int64,
        environment: AppStoreEnvironment,
        expirationIntent: ExpirationIntent? = nil,
        isInBillingRetryPeriod: Bool? = nil,
        gracePeriodExpiresDate: Int64? = nil,
        priceIncreaseStatus: PriceIncreaseStatus? = nil,
        offerType: OfferType? = nil,
        offerIdentifier: String? = nil,
        offerDiscountType: OfferDiscountType? = nil,
        offerPeriod: String? = nil,
        recentSubscriptionStartDate: Int64? = nil,
        renewalDate: Int64? = nil,
        renewalPrice: Int64? = nil,
        currency: String? = nil,
        eligibleWinBackOfferIds: [String]? = nil,
        appTransactionId: String? = nil,
        appAccountToken: String? = nil,
        advancedCommerceInfo: AdvancedCommerceRenewalInfo? = nil,
        renewalBillingPlanType: BillingPlanType? = nil,
        commitmentInfo: RenewalCommitmentInfo? = nil,
        renewalQuantity: Int32? = nil,
        multiSeatInfo: RenewalMultiSeatInfo? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.autoRenewProductId = autoRenewProductId
        self.autoRenewStatus = autoRenewStatus
        self.signedDate = signedDate
        self.environment = environment
        self.expirationIntent = expirationIntent
        self.isInBillingRetryPeriod = isInBillingRetryPeriod
        self.gracePeriodExpiresDate = gracePeriodExpiresDate
        self.priceIncreaseStatus = priceIncreaseStatus
        self.offerType = offerType
        self.offerIdentifier = offerIdentifier
        self.offerDiscountType = offerDiscountType
        self.offerPeriod = offerPeriod
        self.recentSubscriptionStartDate = recentSubscriptionStartDate
        self.renewalDate = renewalDate
        self.renewalPrice = renewalPrice
        self.currency = currency
        self.eligibleWinBackOfferIds = eligibleWinBackOfferIds
        self.appTransactionId = appTransactionId
        self.appAccountToken = appAccountToken
        self.advancedCommerceInfo = advancedCommerceInfo
        self.renewalBillingPlanType = renewalBillingPlanType
        self.commitmentInfo = commitmentInfo
        self.renewalQuantity = renewalQuantity
        self.multiSeatInfo = multiSeatInfo
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        originalTransactionId = try fields.require("originalTransactionId")
        productId = try fields.require("productId")
        autoRenewProductId = try fields.require("autoRenewProductId")
        autoRenewStatus = try fields.require("autoRenewStatus")
        expirationIntent = try fields.optional("expirationIntent")
        isInBillingRetryPeriod = try fields.optional("isInBillingRetryPeriod")
        gracePeriodExpiresDate = try fields.optionalDate("gracePeriodExpiresDate")
        priceIncreaseStatus = try fields.optional("priceIncreaseStatus")
        offerType = try fields.optional("offerType")
        offerIdentifier = try fields.optional("offerIdentifier")
        offerDiscountType = try fields.optional("offerDiscountType")
        offerPeriod = try fields.optional("offerPeriod")
        signedDate = try fields.requireDate("signedDate")
        environment = try fields.require("environment")
        recentSubscriptionStartDate = try fields.optionalDate("recentSubscriptionStartDate")
        renewalDate = try fields.optionalDate("renewalDate")
        renewalPrice = try fields.optional("renewalPrice")
        currency = try fields.optional("currency")
        eligibleWinBackOfferIds = try fields.optional("eligibleWinBackOfferIds")
        appTransactionId = try fields.optional("appTransactionId")
        appAccountToken = try fields.optional("appAccountToken")
        advancedCommerceInfo = try fields.optional("advancedCommerceInfo")
        renewalBillingPlanType = try fields.optional("renewalBillingPlanType")
        commitmentInfo = try fields.optional("commitmentInfo")
        renewalQuantity = try fields.optional("renewalQuantity")
        multiSeatInfo = try fields.optional("multiSeatInfo")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("originalTransactionId", originalTransactionId)
        object.put("productId", productId)
        object.put("autoRenewProductId", autoRenewProductId)
        object.put("autoRenewStatus", autoRenewStatus)
        object.put("expirationIntent", expirationIntent)
        object.put("isInBillingRetryPeriod", isInBillingRetryPeriod)
        object.put("gracePeriodExpiresDate", gracePeriodExpiresDate)
        object.put("priceIncreaseStatus", priceIncreaseStatus)
        object.put("offerType", offerType)
        object.put("offerIdentifier", offerIdentifier)
        object.put("offerDiscountType", offerDiscountType)
        object.put("offerPeriod", offerPeriod)
        object.put("signedDate", signedDate)
        object.put("environment", environment)
        object.put("recentSubscriptionStartDate", recentSubscriptionStartDate)
        object.put("renewalDate", renewalDate)
        object.put("renewalPrice", renewalPrice)
        object.put("currency", currency)
        object.put("eligibleWinBackOfferIds", eligibleWinBackOfferIds)
        object.put("appTransactionId", appTransactionId)
        object.put("appAccountToken", appAccountToken)
        object.put("advancedCommerceInfo", advancedCommerceInfo)
        object.put("renewalBillingPlanType", renewalBillingPlanType)
        object.put("commitmentInfo", commitmentInfo)
        object.put("renewalQuantity", renewalQuantity)
        object.put("multiSeatInfo", multiSeatInfo)
        object.put(unknownFields: unknownFields)
        return object
    }
}
