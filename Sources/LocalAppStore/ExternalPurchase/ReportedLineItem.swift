import AppStoreModel

/// The parts of a reported line item on which later reports depend.
struct ReportedLineItem: Hashable, Sendable, Codable {
    /// The kind of the line item.
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

    /// The purchase to whose net amount the line item belongs: its own, or the one that it refunds.
    var purchaseId: String { isRefund ? referenceLineItemId ?? lineItemId : lineItemId }
}

extension ReportedLineItem {
    init(_ item: OneTimeBuyLineItem) { self.init(item, kind: .oneTimeBuy, referenceLineItemId: nil) }

    init(_ item: SubscriptionBuyLineItem) {
        self.init(
            item,
            kind: .subscriptionBuy(item.subscriptionEvent),
            referenceLineItemId: item.referenceLineItemId
        )
    }

    init(_ item: RefundLineItem) { self.init(item, kind: .refund, referenceLineItemId: item.referenceLineItemId) }

    private init(_ item: some LineItem, kind: Kind, referenceLineItemId: String?) {
        self.init(
            lineItemId: item.lineItemId,
            referenceLineItemId: referenceLineItemId,
            creationDate: item.creationDate,
            kind: kind,
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

/// The members of all line items.
private protocol LineItem {
    var lineItemId: String { get }
    var creationDate: Int64 { get }
    var pricingCurrency: String { get }
    var reportingCurrency: String { get }
    var exchangeRate: ExternalPurchaseExchangeRate? { get }
    var amountTaxExclusive: Int64 { get }
    var netAmountTaxExclusive: Int64 { get }
    var taxCountry: String { get }
    var restatement: Bool? { get }
    var erroneouslySubmitted: Bool? { get }
}

extension OneTimeBuyLineItem: LineItem {}

extension SubscriptionBuyLineItem: LineItem {}

extension RefundLineItem: LineItem {}
