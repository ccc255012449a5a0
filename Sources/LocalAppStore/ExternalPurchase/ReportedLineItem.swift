import AppStoreModel

/// A line item of a report as far as later reports depend on it.
struct ReportedLineItem: Hashable, Sendable, Codable {
    /// What the line item tells of.
    enum Kind: Hashable, Sendable, Codable {
        case oneTimeBuy
        case subscriptionBuy(ExternalPurchaseSubscriptionEvent)
        case refund
    }

    let lineItemId: String
    let referenceLineItemId: String?
    let creationDate: Int64
    let kind: Kind
    let pricingCurrency: String
    let reportingCurrency: String
    /// As it was written.
    let exchangeRate: String?
    let amountTaxExclusive: Int64
    let netAmountTaxExclusive: Int64
    let taxCountry: String
    let isRestatement: Bool
    let isErroneous: Bool

    var isRefund: Bool { kind == .refund }

    var beginsSubscription: Bool { kind == .subscriptionBuy(.subscriptionStart) }

    /// The purchase whose net amount the line item is counted for: its own, or the one that it refunds.
    var purchaseId: String { isRefund ? referenceLineItemId ?? lineItemId : lineItemId }
}

extension ReportedLineItem {
    init(_ item: OneTimeBuyLineItem) {
        self.init(
            lineItemId: item.lineItemId,
            referenceLineItemId: nil,
            creationDate: item.creationDate,
            kind: .oneTimeBuy,
            pricingCurrency: item.pricingCurrency,
            reportingCurrency: item.reportingCurrency,
            exchangeRate: item.exchangeRate?.description,
            amountTaxExclusive: item.amountTaxExclusive,
            netAmountTaxExclusive: item.netAmountTaxExclusive,
            taxCountry: item.taxCountry,
            isRestatement: item.restatement ?? false,
            isErroneous: item.erroneouslySubmitted ?? false
        )
    }

    init(_ item: SubscriptionBuyLineItem) {
        self.init(
            lineItemId: item.lineItemId,
            referenceLineItemId: item.referenceLineItemId,
            creationDate: item.creationDate,
            kind: .subscriptionBuy(item.subscriptionEvent),
            pricingCurrency: item.pricingCurrency,
            reportingCurrency: item.reportingCurrency,
            exchangeRate: item.exchangeRate?.description,
            amountTaxExclusive: item.amountTaxExclusive,
            netAmountTaxExclusive: item.netAmountTaxExclusive,
            taxCountry: item.taxCountry,
            isRestatement: item.restatement ?? false,
            isErroneous: item.erroneouslySubmitted ?? false
        )
    }

    init(_ item: RefundLineItem) {
        self.init(
            lineItemId: item.lineItemId,
            referenceLineItemId: item.referenceLineItemId,
            creationDate: item.creationDate,
            kind: .refund,
            pricingCurrency: item.pricingCurrency,
            reportingCurrency: item.reportingCurrency,
            exchangeRate: item.exchangeRate?.description,
            amountTaxExclusive: item.amountTaxExclusive,
            netAmountTaxExclusive: item.netAmountTaxExclusive,
            taxCountry: item.taxCountry,
            isRestatement: item.restatement ?? false,
            isErroneous: item.erroneouslySubmitted ?? false
        )
    }
}
