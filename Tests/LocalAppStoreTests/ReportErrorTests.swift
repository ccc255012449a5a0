import AppStoreModel
import LocalAppStore
import Testing

/// The errors of a report, rule by rule.
@Suite struct `Errors of reports` {
    struct Case: CustomTestStringConvertible, Sendable {
        /// The earlier reports, one each.
        var before: [[JSONValue]] = []
        var items: [JSONValue] = []
        /// Members of the report itself.
        var envelope: [String: JSONValue?] = [:]
        /// The code, the field and the line item.
        let errors: [String]

        var testDescription: String { errors.joined(separator: ", ") }
    }

    static let cases = envelopes + values + references + corrections

    @Test(arguments: cases) func `a report that breaks a rule has the error of the rule`(example: Case) throws {
        var submitter = try ReportSubmitter()
        for items in example.before { #expect(submitter.errors(of: submitter.report(items)) == []) }
        var report = submitter.report(example.items)
        for (key, value) in example.envelope { report[key] = value }
        #expect(submitter.errors(of: report) == example.errors)
    }

    @Test(arguments: [
        #"{"requestIdentifier": "x"}"#, #"{"requestIdentifier": 1}"#, #"{"lineItems": {}}"#, #"{"lineItems": [1]}"#,
        #"{"status": 1}"#, #"{"externalPurchaseId": []}"#,
    ])
    func `a report with a member of another type is malformed, and has no error code`(members: String) throws {
        var submitter = try ReportSubmitter()
        var report = submitter.report([LineItems.oneTimeBuy("one")])
        for member in try JSONParser.parseObject(Array(members.utf8)).members { report[member.key] = member.value }
        let refusal = #expect(throws: ExternalPurchaseRefusal.self) {
            try submitter.store.sendExternalPurchaseReport(report)
        }
        #expect(refusal?.answer == nil)
    }

    @Test func `a purchase belongs to an active token, and later line items may follow`() throws {
        var transcript = try StoreTranscript.withAccount(at: LineItems.tokenDate)
        let token = try transcript.store.createExternalPurchaseToken(
            accountId: "a",
            type: .services,
            lifetime: CalendarPeriod(iso8601: "P7D")
        )
        try transcript.store.step(to: LineItems.now)
        let late = JSONValue.integer(LineItems.tokenDate + 8 * 86_400_000)
        var report = LineItems.report(token, "LINE_ITEM")
        report["lineItems"] = [LineItems.oneTimeBuy("late", ["creationDate": late])]
        let refusal = #expect(throws: ExternalPurchaseRefusal.self) {
            try transcript.store.sendExternalPurchaseReport(report)
        }
        #expect(refusal?.errors.map(\.errorCode.rawValue) == [36])
        report["lineItems"] = [LineItems.subscriptionBuy("start"), LineItems.renewal("renewal", of: "start")]
        _ = try transcript.store.sendExternalPurchaseReport(report)
    }

    @Test func `old line items are neither corrected nor refunded`() throws {
        var submitter = try ReportSubmitter()
        #expect(submitter.errors(of: submitter.report([LineItems.oneTimeBuy("old")])) == [])
        try submitter.store.step(to: LineItems.now + 250 * 86_400_000)
        let correction = LineItems.oneTimeBuy("old", ["restatement": true])
        #expect(submitter.errors(of: submitter.report([correction])) == ["39 creationDate old"])
        #expect(
            submitter.errors(of: submitter.report([LineItems.refund("back", of: "old")])) == ["40 creationDate back"]
        )
    }

    @Test func `sales in an unsupported currency are reported in a supported one`() throws {
        var submitter = try ReportSubmitter()
        let item = LineItems.oneTimeBuy("one", ["pricingCurrency": "ISK", "exchangeRate": .decimal("0.0069")])
        #expect(submitter.errors(of: submitter.report([item])) == [])
    }

    @Test func `a purchase, its renewals, its refund and their correction are reported in turn`() throws {
        var submitter = try ReportSubmitter()
        let reports: [[JSONValue]] = [
            [LineItems.subscriptionBuy("start"), LineItems.renewal("renewal", of: "start")],
            [
                LineItems.refund(
                    "part",
                    of: "start",
                    [
                        "amountTaxExclusive": 4_000, "amountTaxInclusive": 5_000, "taxAmount": 1_000,
                        "netAmountTaxExclusive": 6_000,
                    ]
                )
            ],
            [
                LineItems.refund(
                    "part",
                    of: "start",
                    ["restatement": true, "erroneouslySubmitted": true, "netAmountTaxExclusive": 10_000]
                )
            ],
            [
                LineItems.renewal(
                    "renewal",
                    of: "start",
                    ["restatement": true, "erroneouslySubmitted": true, "netAmountTaxExclusive": 0]
                )
            ],
        ]
        for items in reports { #expect(submitter.errors(of: submitter.report(items)) == []) }
    }
}

extension `Errors of reports` {
    private static let one = [LineItems.oneTimeBuy("one")]

    private static let envelopes: [Case] = [
        Case(items: one, envelope: ["requestIdentifier": nil], errors: ["4 requestIdentifier"]),
        Case(items: one, envelope: ["externalPurchaseId": nil], errors: ["4 externalPurchaseId"]),
        Case(items: one, envelope: ["externalPurchaseId": "SANDBOX_x"], errors: ["3 externalPurchaseId"]),
        Case(items: one, envelope: ["status": nil], errors: ["4 status"]),
        Case(items: one, envelope: ["status": "SOLD"], errors: ["7 status"]),
        Case(items: [], errors: ["9 lineItems"]),
        Case(items: one, envelope: ["status": "NO_LINE_ITEM"], errors: ["10 lineItems"]),
        Case(envelope: ["status": "DUPLICATE_TOKEN"], errors: ["37 status"]),
        Case(before: [one], envelope: ["status": "UNRECOGNIZED_TOKEN"], errors: ["8 status"]),
        Case(
            before: [one],
            items: [LineItems.oneTimeBuy("two")],
            envelope: ["requestIdentifier": "00000000-0000-4000-8000-000000000111"],
            errors: ["1 requestIdentifier"]
        ),
    ]

    private static func oneTimeBuy(_ changes: [String: JSONValue?], _ errors: String...) -> Case {
        Case(items: [LineItems.oneTimeBuy("x", changes)], errors: errors.map { "\($0) x" })
    }

    private static func subscriptionBuy(_ changes: [String: JSONValue?], _ errors: String...) -> Case {
        Case(items: [LineItems.subscriptionBuy("x", changes)], errors: errors.map { "\($0) x" })
    }

    private static let values: [Case] = [
        oneTimeBuy(["taxCountry": nil, "quantity": nil], "4 taxCountry", "4 quantity"),
        oneTimeBuy(["eventType": nil], "4 eventType"), oneTimeBuy(["productType": nil], "4 productType"),
        oneTimeBuy(["eventType": "SALE"], "7 eventType"),
        oneTimeBuy(["referenceLineItemId": "y"], "5 referenceLineItemId"),
        oneTimeBuy(["exchangeRate": 1], "5 exchangeRate"),
        oneTimeBuy(["pricingCurrency": "ISK"], "4 exchangeRate"),
        oneTimeBuy(["pricingCurrency": "USD", "exchangeRate": 1], "18 reportingCurrency"),
        oneTimeBuy(
            ["pricingCurrency": "euro", "reportingCurrency": "euro"],
            "7 pricingCurrency",
            "7 reportingCurrency"
        ),
        oneTimeBuy(["taxCountry": "DE"], "7 taxCountry"),
        oneTimeBuy(["creationDate": .integer(LineItems.now + 1)], "6 creationDate"),
        oneTimeBuy(["creationDate": .integer(LineItems.date / 1_000)], "27 creationDate"),
        oneTimeBuy(["creationDate": .integer(LineItems.tokenDate - 1)], "36 creationDate"),
        oneTimeBuy(["productIdentifier": .string(String(repeating: "p", count: 257))], "19 productIdentifier"),
        oneTimeBuy(["taxAmount": -1_900], "15 taxAmount", "11 amountTaxInclusive"),
        oneTimeBuy(["amountTaxInclusive": 11_901], "11 amountTaxInclusive"),
        oneTimeBuy(["netAmountTaxExclusive": 9_999], "12 netAmountTaxExclusive"),
        oneTimeBuy(["quantity": 0], "16 quantity"),
        oneTimeBuy(["erroneouslySubmitted": true], "20 erroneouslySubmitted"),
        oneTimeBuy(["restatement": true], "3 lineItemId"),
        subscriptionBuy(["subscriptionEndDate": .integer(LineItems.date - 1)], "17 subscriptionStartDate"),
        subscriptionBuy(["subscriptionStartDate": 1_768_435_200], "27 subscriptionStartDate"),
        subscriptionBuy(["subscriptionDaysOfPaidService": 1], "34 subscriptionDaysOfPaidService"),
        subscriptionBuy(["subscriptionDaysOfPaidService": -1], "15 subscriptionDaysOfPaidService"),
        subscriptionBuy(["subscriptionEvent": "END"], "7 subscriptionEvent"),
        subscriptionBuy(
            [
                "subscriptionEvent": "SUBSCRIPTION_PAYMENT", "amountTaxExclusive": 0, "amountTaxInclusive": 0,
                "taxAmount": 0, "netAmountTaxExclusive": 0,
            ],
            "35 amountTaxInclusive"
        ),
    ]

    private static let references: [Case] = [
        Case(items: [LineItems.refund("x", of: "x")], errors: ["13 referenceLineItemId x"]),
        Case(items: [LineItems.refund("x", of: "one")], errors: ["3 referenceLineItemId x"]),
        Case(items: [LineItems.refund("x", of: "one", ["quantity": 1])], errors: ["5 quantity x"]),
        Case(
            before: [one],
            items: [LineItems.refund("x", of: "one", ["pricingCurrency": "USD", "reportingCurrency": "USD"])],
            errors: ["32 pricingCurrency x", "2 reportingCurrency x"]
        ),
        Case(
            before: [[LineItems.oneTimeBuy("one", ["pricingCurrency": "ISK", "exchangeRate": .decimal("0.007")])]],
            items: [LineItems.refund("x", of: "one", ["pricingCurrency": "ISK", "exchangeRate": .decimal("0.008")])],
            errors: ["33 exchangeRate x"]
        ),
        Case(
            before: [one],
            items: [LineItems.refund("x", of: "one", ["taxCountry": "FRA"])],
            errors: ["23 taxCountry x"]
        ),
        Case(
            before: [one],
            items: [LineItems.refund("x", of: "one", ["creationDate": .integer(LineItems.date - 1)])],
            errors: ["31 referenceLineItemId x"]
        ),
        Case(
            before: [one, [LineItems.refund("back", of: "one")]],
            items: [LineItems.refund("x", of: "back")],
            errors: ["21 referenceLineItemId x"]
        ),
        Case(before: [one], items: [LineItems.renewal("x", of: "one")], errors: ["14 referenceLineItemId x"]),
        Case(
            items: one + [LineItems.refund("x", of: "one")],
            errors: ["24 netAmountTaxExclusive x"]
        ),
    ]

    private static let erroneous: [String: JSONValue?] = [
        "restatement": true, "erroneouslySubmitted": true, "netAmountTaxExclusive": 0,
    ]

    private static let corrections: [Case] = [
        Case(before: [one], items: one, errors: ["1 lineItemId one"]),
        Case(items: one + one, errors: ["1 lineItemId one"]),
        Case(
            before: [one],
            items: [LineItems.oneTimeBuy("one", ["restatement": true, "creationDate": .integer(LineItems.date + 1)])],
            errors: ["38 creationDate one"]
        ),
        Case(
            before: [one, [LineItems.oneTimeBuy("one", erroneous)]],
            items: [LineItems.oneTimeBuy("one", erroneous)],
            errors: ["30 erroneouslySubmitted one"]
        ),
        Case(
            before: [one, [LineItems.oneTimeBuy("one", erroneous)]],
            items: [LineItems.refund("x", of: "one")],
            errors: ["25 referenceLineItemId x", "12 netAmountTaxExclusive x"]
        ),
        Case(
            before: [[LineItems.subscriptionBuy("start"), LineItems.renewal("next", of: "start")]],
            items: [LineItems.subscriptionBuy("start", erroneous)],
            errors: ["22 erroneouslySubmitted start"]
        ),
        Case(
            before: [one, [LineItems.oneTimeBuy("two")], [LineItems.refund("back", of: "one")]],
            items: [
                LineItems.refund(
                    "one",
                    of: "two",
                    ["restatement": true, "creationDate": .integer(LineItems.date)]
                )
            ],
            errors: ["28 eventType one"]
        ),
        Case(
            before: [[LineItems.subscriptionBuy("start"), LineItems.renewal("next", of: "start")]],
            items: [LineItems.subscriptionBuy("start", ["subscriptionEvent": "RENEWAL", "restatement": true])],
            errors: ["29 subscriptionEvent start"]
        ),
        // The age of a corrected or refunded item: the test of old line items uses these two.
        Case(
            items: [
                LineItems.oneTimeBuy(
                    "x",
                    ["creationDate": .integer(LineItems.now - 366 * 86_400_000), "restatement": true]
                )
            ],
            errors: ["36 creationDate x", "39 creationDate x", "3 lineItemId x"]
        ),
        Case(
            before: [one],
            items: [LineItems.refund("x", of: "one", ["creationDate": .integer(LineItems.now - 366 * 86_400_000)])],
            errors: ["36 creationDate x", "40 creationDate x", "31 referenceLineItemId x"]
        ),
    ]
}
