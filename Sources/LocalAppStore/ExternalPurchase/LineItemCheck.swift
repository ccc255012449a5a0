import AppStoreModel

/// Checks a single line item: its members, and whether its values are consistent.
struct LineItemCheck {
    /// The opening of the App Store; earlier dates were probably written in seconds.
    private static let dateMin: Int64 = 1_215_648_000_000

    /// The maximum length of an identifier; Apple publishes none.
    private static let identifierLengthMax = 256

    let item: JSONObject
    let now: Int64
    private(set) var errors: [ExternalPurchaseReportError] = []

    init(_ item: JSONObject, now: Int64) {
        self.item = item
        self.now = now
    }

    /// The line item, if it is readable and has no errors.
    ///
    /// - Throws: ``ModelError`` if a member has the wrong JSON type.
    mutating func read() throws(ModelError) -> ReportedLineItem? {
        checkMembers()
        guard errors.isEmpty else { return nil }
        let read: ReportedLineItem
        switch try ExternalPurchaseLineItem(json: item) {
        case .oneTimeBuy(let item):
            read = ReportedLineItem(item)
            require(item.quantity > 0, .positiveValueRequired, "quantity")
            checkLength(item.productIdentifier, "productIdentifier")
        case .subscriptionBuy(let item):
            read = ReportedLineItem(item)
            require(item.quantity > 0, .positiveValueRequired, "quantity")
            checkLength(item.productIdentifier, "productIdentifier")
            checkPeriod(of: item)
        case .refund(let item): read = ReportedLineItem(item)
        case .other: return nil
        }
        checkShared(read)
        return errors.isEmpty ? read : nil
    }

    private mutating func checkMembers() {
        for (key, allowedValues) in LineItemForm.allowedValues where item.has(key) {
            require(item[key]?.stringValue.map(allowedValues.contains) ?? true, .unknownEnum, key)
        }
        guard errors.isEmpty else { return }
        guard let form = LineItemForm(of: item) else {
            return report(.omittedField, item.has("eventType") ? "productType" : "eventType")
        }
        for key in form.required { require(item.has(key), .omittedField, key) }
        for key in form.forbidden { require(!item.has(key), .fieldNotAllowed, key) }
        if item["subscriptionEvent"]?.stringValue == "SUBSCRIPTION_START" {
            require(!item.has("referenceLineItemId"), .fieldNotAllowed, "referenceLineItemId")
        }
    }

    private mutating func checkPeriod(of item: SubscriptionBuyLineItem) {
        for (key, date) in [
            ("subscriptionStartDate", item.subscriptionStartDate), ("subscriptionEndDate", item.subscriptionEndDate),
        ] {
            require(date >= Self.dateMin, .dateTooFarInPast, key)
        }
        require(item.subscriptionStartDate <= item.subscriptionEndDate, .startDateAfterEndDate, "subscriptionStartDate")
        let days = item.subscriptionDaysOfPaidService
        require(days >= 0, .negativeValueNotAllowed, "subscriptionDaysOfPaidService")
        require(
            item.subscriptionEvent != .subscriptionStart || days <= 0,
            .subscriptionStartNonZeroDaysPaidService,
            "subscriptionDaysOfPaidService"
        )
        require(
            item.subscriptionEvent != .subscriptionPayment || item.amountTaxInclusive > 0,
            .invalidTaxInclusiveAmountForSubscriptionPayment,
            "amountTaxInclusive"
        )
    }

    private mutating func checkShared(_ read: ReportedLineItem) {
        checkLength(read.lineItemId, "lineItemId")
        if let reference = read.referenceLineItemId { checkLength(reference, "referenceLineItemId") }
        require(read.creationDate <= now, .futureDate, "creationDate")
        require(read.creationDate >= Self.dateMin, .dateTooFarInPast, "creationDate")
        require(read.referenceLineItemId != read.lineItemId, .selfReference, "referenceLineItemId")
        require(!read.isErroneous || read.isRestatement, .erroneouslySubmittedNotRestatement, "erroneouslySubmitted")
        checkCurrencies(of: read)
        checkAmounts()
    }

    private mutating func checkCurrencies(of read: ReportedLineItem) {
        require(read.pricingCurrency.isCurrencyCode, .unknownEnum, "pricingCurrency")
        require(Storefront.currencies.contains(read.reportingCurrency), .unknownEnum, "reportingCurrency")
        require(read.taxCountry.isCountryCode, .unknownEnum, "taxCountry")
        if let rate = read.exchangeRate {
            require(
                rate.utf8.count <= ExternalPurchaseExchangeRate.lengthMax,
                .maximumLengthExceeded,
                "exchangeRate"
            )
        }
        guard read.pricingCurrency != read.reportingCurrency else {
            return require(read.exchangeRate == nil, .fieldNotAllowed, "exchangeRate")
        }
        if Storefront.currencies.contains(read.pricingCurrency) {
            report(.reportingCurrencyExchangeNotAllowed, "reportingCurrency")
        } else {
            require(read.exchangeRate != nil, .omittedField, "exchangeRate")
        }
    }

    private mutating func checkAmounts() {
        let keys = ["amountTaxExclusive", "amountTaxInclusive", "netAmountTaxExclusive", "taxAmount"]
        for key in keys {
            require(item[key]?.integerValue.map { $0 >= 0 } ?? true, .negativeValueNotAllowed, key)
        }
        guard let net = item["amountTaxExclusive"]?.integerValue, let tax = item["taxAmount"]?.integerValue else {
            return
        }
        let (sum, overflows) = net.addingReportingOverflow(tax)
        require(
            !overflows && sum == item["amountTaxInclusive"]?.integerValue,
            .incorrectAmountTaxInclusive,
            "amountTaxInclusive"
        )
    }

    private mutating func checkLength(_ text: String, _ field: String) {
        require(text.unicodeScalars.count <= Self.identifierLengthMax, .maximumLengthExceeded, field)
    }

    private mutating func require(_ condition: Bool, _ code: ExternalPurchaseErrorCode, _ field: String) {
        if !condition { report(code, field) }
    }

    private mutating func report(_ code: ExternalPurchaseErrorCode, _ field: String) {
        let lineItemId = item["lineItemId"]?.stringValue
        errors.append(ExternalPurchaseReportError(code, field: field, lineItemId: lineItemId))
    }
}

extension Storefront {
    /// The currencies of the App Store.
    static let currencies = Set(all.map(\.currency))
}

extension String {
    private var isThreeCapitals: Bool {
        utf8.count == 3 && utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains)
    }

    /// Whether the text has the form of an ISO 4217 code.
    fileprivate var isCurrencyCode: Bool { isThreeCapitals }

    /// Whether the text has the form of an ISO 3166-1 alpha-3 code.
    fileprivate var isCountryCode: Bool { isThreeCapitals }
}
