import AppStoreModel

/// JSON of external purchase reports with every field that Apple documents.
enum ExternalPurchaseFields {
    static let oneTimeBuy = #"""
        {"lineItemId":"0a0b0c0d-0000-4000-8000-000000000030","creationDate":1706047491127,"eventType":"BUY",
        "productType":"ONE_TIME_BUY","productIdentifier":"coins","quantity":3,"pricingCurrency":"ISK",
        "reportingCurrency":"EUR","exchangeRate":0.00660000,"amountTaxExclusive":8000,"amountTaxInclusive":10000,
        "netAmountTaxExclusive":8000,"taxAmount":2000,"taxCountry":"ESP","restatement":true,
        "erroneouslySubmitted":true}
        """#

    static let subscriptionBuy = #"""
        {"lineItemId":"0a0b0c0d-0000-4000-8000-000000000031",
        "referenceLineItemId":"0a0b0c0d-0000-4000-8000-000000000030","creationDate":1706047491127,"eventType":"BUY",
        "productType":"SUBSCRIPTION","productIdentifier":"pro.monthly","quantity":1,"subscriptionEvent":"RENEWAL",
        "subscriptionStartDate":1706047491127,"subscriptionEndDate":1708725891127,"subscriptionDaysOfPaidService":31,
        "pricingCurrency":"ISK","reportingCurrency":"EUR","exchangeRate":2,"amountTaxExclusive":9900,
        "amountTaxInclusive":12180,"netAmountTaxExclusive":9900,"taxAmount":2280,"taxCountry":"SVK",
        "restatement":true,"erroneouslySubmitted":false}
        """#

    static let refund = #"""
        {"lineItemId":"0a0b0c0d-0000-4000-8000-000000000032",
        "referenceLineItemId":"0a0b0c0d-0000-4000-8000-000000000030","creationDate":1706047491127,
        "eventType":"REFUND","pricingCurrency":"ISK","reportingCurrency":"EUR","exchangeRate":0.0066,
        "amountTaxExclusive":2000,"amountTaxInclusive":2500,"netAmountTaxExclusive":6000,"taxAmount":500,
        "taxCountry":"ESP","restatement":false,"erroneouslySubmitted":false}
        """#

    static let report = #"""
        {"requestIdentifier":"b598cbea-c0a8-44cb-bb0e-abb12ed59cb9",
        "externalPurchaseId":"SANDBOX_2924c319-5205-4188-831a-1ca2c00326b4","status":"LINE_ITEM",
        "lineItems":[\#(oneTimeBuy),\#(subscriptionBuy),\#(refund)]}
        """#

    static let answers: [(any JSONRepresentable.Type, String)] = [
        (SendReportSuccessResponse.self, #"{"requestIdentifier":"b598cbea-c0a8-44cb-bb0e-abb12ed59cb9"}"#),
        (
            SendReportErrorResponse.self,
            #"""
            {"errors":[{"errorCode":11,"errorMessage":"The amounts do not add up.","fieldName":"amountTaxInclusive",
            "lineItemId":"0a0b0c0d-0000-4000-8000-000000000030"}]}
            """#
        ),
        (RetrieveReportSuccessResponse.self, #"{"report":\#(report)}"#),
    ]

    static let all: [(any JSONRepresentable.Type, String)] =
        [
            (OneTimeBuyLineItem.self, oneTimeBuy), (SubscriptionBuyLineItem.self, subscriptionBuy),
            (RefundLineItem.self, refund), (ExternalPurchaseLineItem.self, refund),
            (ExternalPurchaseReport.self, report),
        ] + answers
}
