import AppStoreModel
import Testing

@Suite struct `An external purchase report` {
    private func report() throws -> ExternalPurchaseReport {
        try ExternalPurchaseReport(jsonBytes: Array(ExternalPurchaseFields.report.utf8))
    }

    private func purchase() throws -> OneTimeBuyLineItem {
        try OneTimeBuyLineItem(jsonBytes: Array(ExternalPurchaseFields.oneTimeBuy.utf8))
    }

    private func subscription() throws -> SubscriptionBuyLineItem {
        try SubscriptionBuyLineItem(jsonBytes: Array(ExternalPurchaseFields.subscriptionBuy.utf8))
    }

    private func broken(_ check: () throws(ModelError) -> Void) -> String? {
        do {
            try check()
            return nil
        } catch {
            #expect(error.code == .ruleBroken)
            return error.path
        }
    }

    @Test func `a report has line items of three kinds`() throws {
        let items = try #require(try report().lineItems)
        guard case .oneTimeBuy(let purchase) = items[0], case .subscriptionBuy(let renewal) = items[1],
            case .refund(let refund) = items[2]
        else {
            Issue.record("The line items are of other kinds.")
            return
        }
        #expect(purchase.quantity == 3)
        #expect(renewal.subscriptionEvent == .renewal)
        #expect(renewal.subscriptionDaysOfPaidService == 31)
        #expect(refund.referenceLineItemId == purchase.lineItemId)
        #expect(refund.netAmountTaxExclusive == 6_000)
    }

    @Test(arguments: [
        #"{"eventType":"GIFT"}"#, #"{"eventType":"BUY"}"#, #"{"eventType":"BUY","productType":"RENTAL"}"#,
    ])
    func `a report keeps line items of other kinds`(text: String) throws {
        let item = try ExternalPurchaseLineItem(jsonBytes: Array(text.utf8))
        guard case .other(let object) = item else {
            Issue.record("The line item is of a known kind.")
            return
        }
        #expect(object == item.json)
        #expect(broken(item.validate) == nil)
    }

    @Test func `a report writes the kind of a line item automatically`() throws {
        let purchase = try purchase()
        #expect(purchase.eventType == .buy)
        #expect(purchase.productType == .oneTimeBuy)
        let made = RefundLineItem(
            lineItemId: "b",
            referenceLineItemId: "a",
            creationDate: 1,
            pricingCurrency: "EUR",
            reportingCurrency: "EUR",
            amountTaxExclusive: 80,
            amountTaxInclusive: 100,
            netAmountTaxExclusive: 0,
            taxAmount: 20,
            taxCountry: "ESP"
        )
        #expect(made.json["eventType"] == "REFUND")
        #expect(made.json["restatement"] == nil)
        #expect(broken(made.validate) == nil)
    }

    @Test(arguments: ["0", "1", "12", "0.0066", "149.20", "9223372036854775808"])
    func `a report keeps every digit of an exchange rate`(text: String) throws {
        let rate = try #require(ExternalPurchaseExchangeRate(text))
        #expect(rate.description == text)
        #expect(String(decoding: rate.jsonValue.serialize(), as: UTF8.self) == text)
        #expect(try ExternalPurchaseExchangeRate(jsonValue: JSONParser.parse(rate.jsonValue.serialize())) == rate)
    }

    @Test(arguments: ["", ".", "1.", ".5", "-1", "+1", "1e3", "01", "00.5", "1.2.3", "1,5", "٣", "1\u{0}", " 1"])
    func `an exchange rate of another form is refused`(text: String) {
        #expect(ExternalPurchaseExchangeRate(text) == nil)
    }

    @Test func `an exchange rate has at most 128 characters`() {
        #expect(ExternalPurchaseExchangeRate("0." + String(repeating: "1", count: 126)) != nil)
        #expect(ExternalPurchaseExchangeRate("0." + String(repeating: "1", count: 127)) == nil)
    }

    @Test func `a report has line items exactly if its status requires them`() throws {
        var report = try report()
        #expect(broken(report.validate) == nil)
        report.lineItems = []
        #expect(broken(report.validate) == "lineItems")
        report.lineItems = nil
        #expect(broken(report.validate) == "lineItems")
        report.status = .noLineItem
        #expect(broken(report.validate) == nil)
        report.lineItems = try self.report().lineItems
        #expect(broken(report.validate) == "lineItems")
        report.requestIdentifier = "1"
        #expect(broken(report.validate) == "requestIdentifier")
    }

    @Test func `an error names the line item that breaks a rule`() throws {
        var purchase = try purchase()
        purchase.quantity = 0
        var report = try report()
        report.lineItems?[1] = .oneTimeBuy(purchase)
        #expect(broken(report.validate) == "lineItems[1].quantity")
    }

    @Test(
        arguments: [
            ("taxAmount", 2_001, "amountTaxInclusive"), ("taxAmount", -1, "taxAmount"),
            ("netAmountTaxExclusive", .min, "netAmountTaxExclusive"),
            ("amountTaxExclusive", .max, "amountTaxInclusive"), ("quantity", -1, "quantity"),
        ] as [(String, Int64, String)]
    )
    func `the amounts of a report add up`(field: String, value: Int64, expected: String) throws {
        var object = try purchase().json
        object[field] = .integer(value)
        #expect(broken(try OneTimeBuyLineItem(json: object).validate) == expected)
    }

    @Test func `a report has a rate exactly between two currencies`() throws {
        var purchase = try purchase()
        purchase.exchangeRate = nil
        #expect(broken(purchase.validate) == "exchangeRate")
        purchase.pricingCurrency = purchase.reportingCurrency
        #expect(broken(purchase.validate) == nil)
        purchase.exchangeRate = ExternalPurchaseExchangeRate("1")
        #expect(broken(purchase.validate) == "exchangeRate")
    }

    @Test func `only a restatement marks errors`() throws {
        var purchase = try purchase()
        purchase.restatement = nil
        #expect(broken(purchase.validate) == "erroneouslySubmitted")
        purchase.erroneouslySubmitted = false
        #expect(broken(purchase.validate) == nil)
    }

    @Test func `a subscription of a report begins with nothing paid for`() throws {
        var item = try subscription()
        #expect(broken(item.validate) == nil)
        item.subscriptionEvent = .subscriptionStart
        #expect(broken(item.validate) == "subscriptionDaysOfPaidService")
        item.subscriptionDaysOfPaidService = 0
        #expect(broken(item.validate) == nil)
        item.subscriptionEndDate = item.subscriptionStartDate - 1
        #expect(broken(item.validate) == "subscriptionEndDate")
        item.subscriptionEndDate = item.subscriptionStartDate
        item.referenceLineItemId = item.lineItemId
        #expect(broken(item.validate) == "referenceLineItemId")
        item.referenceLineItemId = nil
        (item.amountTaxExclusive, item.taxAmount, item.amountTaxInclusive) = (0, 0, 0)
        #expect(broken(item.validate) == nil)
        item.subscriptionEvent = .subscriptionPayment
        #expect(broken(item.validate) == "amountTaxInclusive")
    }

    @Test func `the errors of a report have numbers and names`() {
        let codes = ExternalPurchaseErrorCode.documented
        #expect(codes.map(\.rawValue) == Array(1...40))
        #expect(Set(codes.compactMap(\.name)).count == 40)
        #expect(codes.allSatisfy { $0.message?.hasSuffix(".") == true && $0.meaning?.hasSuffix(".") == true })
        let read: [Int64: String] = [
            1: "DuplicateValue", 5: "FieldNotAllowed", 15: "NegativeValueNotAllowed", 16: "PositiveValueRequired",
            34: "SubscriptionStartNonZeroDaysPaidService", 36: "LineItemCreationDateOutOfRange",
            39: "RestatementNotAllowedCreationDate",
        ]
        for (number, name) in read { #expect(ExternalPurchaseErrorCode(rawValue: number).name == name) }
        #expect(ExternalPurchaseErrorCode(rawValue: 41).name == nil)
        #expect(ExternalPurchaseErrorCode.simultaneousSubmission.name == "SimultaneousSubmission")
        #expect(ExternalPurchaseErrorCode.notFound.name == "NotFound")
        #expect(ExternalPurchaseErrorCode.duplicateValue.name == "DuplicateValue")
    }
}
