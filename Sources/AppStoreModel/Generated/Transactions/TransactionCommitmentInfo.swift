// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The position of a monthly plan in its commitment.
///
/// - Source: App Store Server API, TransactionCommitmentInfo; each property is the field of the same name.
public struct TransactionCommitmentInfo: JSONRepresentable {
    /// The number of this period, from 1.
    public var billingPeriodNumber: Int32?
    /// The number of periods of the commitment.
    public var totalBillingPeriods: Int32?
    /// When the commitment ends, in milliseconds since 1970 (UTC).
    public var commitmentExpiresDate: Int64?
    /// The price of the commitment, in thousandths of the currency's unit.
    public var commitmentPrice: Int64?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        billingPeriodNumber: Int32? = nil,
        totalBillingPeriods: Int32? = nil,
        commitmentExpiresDate: Int64? = nil,
        commitmentPrice: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.billingPeriodNumber = billingPeriodNumber
        self.totalBillingPeriods = totalBillingPeriods
        self.commitmentExpiresDate = commitmentExpiresDate
        self.commitmentPrice = commitmentPrice
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        billingPeriodNumber = try fields.optional("billingPeriodNumber")
        totalBillingPeriods = try fields.optional("totalBillingPeriods")
        commitmentExpiresDate = try fields.optionalDate("commitmentExpiresDate")
        commitmentPrice = try fields.optional("commitmentPrice")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("billingPeriodNumber", billingPeriodNumber)
        object.put("totalBillingPeriods", totalBillingPeriods)
        object.put("commitmentExpiresDate", commitmentExpiresDate)
        object.put("commitmentPrice", commitmentPrice)
        object.put(unknownFields: unknownFields)
        return object
    }
}
