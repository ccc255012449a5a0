// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The renewal after the current commitment.
///
/// - Source: App Store Server API, RenewalCommitmentInfo; each property is the field of the same name.
public struct RenewalCommitmentInfo: JSONRepresentable {
    /// The product of the next commitment.
    public var commitmentAutoRenewProductId: String?
    /// Whether another commitment follows.
    public var commitmentAutoRenewStatus: AutoRenewStatus?
    /// How the next commitment is billed.
    public var commitmentRenewalBillingPlanType: BillingPlanType?
    /// When the next commitment begins, in milliseconds since 1970 (UTC).
    public var commitmentRenewalDate: Int64?
    /// Its price, in thousandths of the currency's unit.
    public var commitmentRenewalPrice: Int64?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        commitmentAutoRenewProductId: String? = nil,
        commitmentAutoRenewStatus: AutoRenewStatus? = nil,
        commitmentRenewalBillingPlanType: BillingPlanType? = nil,
        commitmentRenewalDate: Int64? = nil,
        commitmentRenewalPrice: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.commitmentAutoRenewProductId = commitmentAutoRenewProductId
        self.commitmentAutoRenewStatus = commitmentAutoRenewStatus
        self.commitmentRenewalBillingPlanType = commitmentRenewalBillingPlanType
        self.commitmentRenewalDate = commitmentRenewalDate
        self.commitmentRenewalPrice = commitmentRenewalPrice
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        commitmentAutoRenewProductId = try fields.optional("commitmentAutoRenewProductId")
        commitmentAutoRenewStatus = try fields.optional("commitmentAutoRenewStatus")
        commitmentRenewalBillingPlanType = try fields.optional("commitmentRenewalBillingPlanType")
        commitmentRenewalDate = try fields.optionalDate("commitmentRenewalDate")
        commitmentRenewalPrice = try fields.optional("commitmentRenewalPrice")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("commitmentAutoRenewProductId", commitmentAutoRenewProductId)
        object.put("commitmentAutoRenewStatus", commitmentAutoRenewStatus)
        object.put("commitmentRenewalBillingPlanType", commitmentRenewalBillingPlanType)
        object.put("commitmentRenewalDate", commitmentRenewalDate)
        object.put("commitmentRenewalPrice", commitmentRenewalPrice)
        object.put(unknownFields: unknownFields)
        return object
    }
}
