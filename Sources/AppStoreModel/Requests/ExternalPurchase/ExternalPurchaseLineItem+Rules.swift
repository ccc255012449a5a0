extension OneTimeBuyLineItem {
    /// Checks Apple's rules, except those that depend on earlier line items.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        try ModelError.unless(eventType == .buy, "eventType", "A purchase is a BUY.")
        try ModelError.unless(productType == .oneTimeBuy, "productType", "The product is a ONE_TIME_BUY.")
        try ModelError.unless(quantity > 0, "quantity", "At least one must have been bought.")
        try validateShared()
    }
}

extension SubscriptionBuyLineItem {
    /// Checks Apple's rules, except those that depend on earlier line items.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        try ModelError.unless(eventType == .buy, "eventType", "A purchase is a BUY.")
        try ModelError.unless(productType == .subscription, "productType", "The product is a SUBSCRIPTION.")
        try ModelError.unless(quantity > 0, "quantity", "At least one must have been bought.")
        try ModelError.unless(
            subscriptionStartDate <= subscriptionEndDate,
            "subscriptionEndDate",
            "A period cannot end before it begins."
        )
        try ModelError.unless(
            subscriptionDaysOfPaidService >= 0,
            "subscriptionDaysOfPaidService",
            "Days are counted from 0."
        )
        try ModelError.unless(
            subscriptionEvent != .subscriptionStart || subscriptionDaysOfPaidService == 0,
            "subscriptionDaysOfPaidService",
            "A subscription that begins has no days of paid service yet."
        )
        try ModelError.unless(
            subscriptionEvent != .subscriptionPayment || amountTaxInclusive > 0,
            "amountTaxInclusive",
            "A payment must be greater than zero."
        )
        try ModelError.unless(
            referenceLineItemId != lineItemId,
            "referenceLineItemId",
            "A line item cannot refer to itself."
        )
        try validateShared()
    }
}

extension RefundLineItem {
    /// Checks Apple's rules, except those that depend on earlier line items.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        try ModelError.unless(eventType == .refund, "eventType", "A refund is a REFUND.")
        try ModelError.unless(
            referenceLineItemId != lineItemId,
            "referenceLineItemId",
            "A line item cannot refer to itself."
        )
        try validateShared()
    }
}

/// The amounts of all line items.
private protocol ReportedAmounts {
    var pricingCurrency: String { get }
    var reportingCurrency: String { get }
    var exchangeRate: ExternalPurchaseExchangeRate? { get }
    var amountTaxExclusive: Int64 { get }
    var amountTaxInclusive: Int64 { get }
    var netAmountTaxExclusive: Int64 { get }
    var taxAmount: Int64 { get }
    var restatement: Bool? { get }
    var erroneouslySubmitted: Bool? { get }
}

extension OneTimeBuyLineItem: ReportedAmounts {}
extension SubscriptionBuyLineItem: ReportedAmounts {}
extension RefundLineItem: ReportedAmounts {}

extension ReportedAmounts {
    fileprivate func validateShared() throws(ModelError) {
        let amounts = [
            ("amountTaxExclusive", amountTaxExclusive), ("amountTaxInclusive", amountTaxInclusive),
            ("netAmountTaxExclusive", netAmountTaxExclusive), ("taxAmount", taxAmount),
        ]
        for (field, amount) in amounts {
            try ModelError.unless(amount >= 0, field, "An amount is never negative.")
        }
        let (sum, overflows) = amountTaxExclusive.addingReportingOverflow(taxAmount)
        try ModelError.unless(
            !overflows && sum == amountTaxInclusive,
            "amountTaxInclusive",
            "It must be the sum of the amount without tax and the tax."
        )
        let needsRate = pricingCurrency != reportingCurrency
        try ModelError.unless(
            needsRate == (exchangeRate != nil),
            "exchangeRate",
            needsRate ? "A rate is required for two currencies." : "A rate is not allowed for a single currency."
        )
        try ModelError.unless(
            erroneouslySubmitted != true || restatement == true,
            "erroneouslySubmitted",
            "Correct an erroneous submission with a restatement."
        )
    }
}
