extension JWSRenewalInfoDecodedPayload {
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
