// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A line item of a report: a refund or a chargeback.
///
/// - Source: External Purchase Server API, RefundLineItem; each property is the field of the same name.
public struct RefundLineItem: JSONRepresentable {
    /// Identifies the line item in the app, preferably a UUID; the same identifier corrects it.
    public var lineItemId: String
    /// The line item of the purchase that is refunded.
    public var referenceLineItemId: String
    /// When the refund was completed, in milliseconds since 1970 (UTC).
    public var creationDate: Int64
    /// A refund or a chargeback.
    public var eventType: ExternalPurchaseEventType
    /// The currency of the payment, ISO 4217.
    public var pricingCurrency: String
    /// The currency of the amounts, ISO 4217, which Apple must support.
    public var reportingCurrency: String
    /// The value of one unit of ``pricingCurrency`` in ``reportingCurrency``; only if the two differ.
    public var exchangeRate: ExternalPurchaseExchangeRate?
    /// The amount without tax, in thousandths of the reporting currency's unit.
    public var amountTaxExclusive: Int64
    /// The amount with tax, in thousandths of the reporting currency's unit.
    public var amountTaxInclusive: Int64
    /// The rest without tax after all refunds and corrections up to this line item, in thousandths of the reporting
    /// currency's unit.
    public var netAmountTaxExclusive: Int64
    /// The tax, in thousandths of the reporting currency's unit.
    public var taxAmount: Int64
    /// The country whose tax it is, ISO 3166-1 alpha-3.
    public var taxCountry: String
    /// Whether the line item corrects an earlier one; false if absent.
    public var restatement: Bool?
    /// Whether the earlier one was sent by mistake; requires ``restatement``; false if absent.
    public var erroneouslySubmitted: Bool?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        lineItemId: String,
        referenceLineItemId: String,
        creationDate: Int64,
        pricingCurrency: String,
        reportingCurrency: String,
        amountTaxExclusive: Int64,
        amountTaxInclusive: Int64,
        netAmountTaxExclusive: Int64,
        taxAmount: Int64,
        taxCountry: String,
        eventType: ExternalPurchaseEventType = .refund,
        exchangeRate: ExternalPurchaseExchangeRate? = nil,
        restatement: Bool? = nil,
        erroneouslySubmitted: Bool? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.lineItemId = lineItemId
        self.referenceLineItemId = referenceLineItemId
        self.creationDate = creationDate
        self.pricingCurrency = pricingCurrency
        self.reportingCurrency = reportingCurrency
        self.amountTaxExclusive = amountTaxExclusive
        self.amountTaxInclusive = amountTaxInclusive
        self.netAmountTaxExclusive = netAmountTaxExclusive
        self.taxAmount = taxAmount
        self.taxCountry = taxCountry
        self.eventType = eventType
        self.exchangeRate = exchangeRate
        self.restatement = restatement
        self.erroneouslySubmitted = erroneouslySubmitted
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        lineItemId = try fields.require("lineItemId")
        referenceLineItemId = try fields.require("referenceLineItemId")
        creationDate = try fields.requireDate("creationDate")
        eventType = try fields.require("eventType")
        pricingCurrency = try fields.require("pricingCurrency")
        reportingCurrency = try fields.require("reportingCurrency")
        exchangeRate = try fields.optional("exchangeRate")
        amountTaxExclusive = try fields.require("amountTaxExclusive")
        amountTaxInclusive = try fields.require("amountTaxInclusive")
        netAmountTaxExclusive = try fields.require("netAmountTaxExclusive")
        taxAmount = try fields.require("taxAmount")
        taxCountry = try fields.require("taxCountry")
        restatement = try fields.optional("restatement")
        erroneouslySubmitted = try fields.optional("erroneouslySubmitted")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("lineItemId", lineItemId)
        object.put("referenceLineItemId", referenceLineItemId)
        object.put("creationDate", creationDate)
        object.put("eventType", eventType)
        object.put("pricingCurrency", pricingCurrency)
        object.put("reportingCurrency", reportingCurrency)
        object.put("exchangeRate", exchangeRate)
        object.put("amountTaxExclusive", amountTaxExclusive)
        object.put("amountTaxInclusive", amountTaxInclusive)
        object.put("netAmountTaxExclusive", netAmountTaxExclusive)
        object.put("taxAmount", taxAmount)
        object.put("taxCountry", taxCountry)
        object.put("restatement", restatement)
        object.put("erroneouslySubmitted", erroneouslySubmitted)
        object.put(unknownFields: unknownFields)
        return object
    }
}
