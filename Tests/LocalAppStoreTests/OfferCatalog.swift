import AppStoreModel
import AppStoreSigning
import LocalAppStore

/// A group with offers of every kind: `gold` above `silver` above `bronze`, all monthly, beside it `silver.yearly`.
func offerCatalog() throws -> Catalog {
    try Catalog(storekit: Array(offerSource.utf8))
}

/// A store with one account, `a`, that sells from ``offerCatalog()`` and accepts the signatures of a key.
func offerStore(at day: String, key: InAppPurchaseKey? = nil) throws -> StoreTranscript {
    var transcript = try StoreTranscript.withAccount(at: try at(day), catalog: try offerCatalog())
    if let key { transcript.store.acceptSignatures(by: [key.publicKey]) }
    return transcript
}

extension StoreTranscript {
    /// Buys for the account `a` with an offer that needs no signature.
    @discardableResult
    mutating func redeem(_ type: String, _ identifier: String, for productId: String) throws -> PurchaseOutcome {
        let offer = PurchaseRequest.Offer(type: type, identifier: identifier)
        return try store.purchase(accountId: "a", request: PurchaseRequest(productId: productId, offer: offer))
    }

    /// Turns renewal of the account's only subscription off and lets it end.
    mutating func leave(by day: String) throws {
        let original = try subscription.originalTransactionId
        try store.setAutoRenew(originalTransactionId: original, enabled: false)
        try advance(to: try at(day))
        _ = try newNotifications()
    }
}

private let offerSource = """
    {
      "version": {"major": 4},
      "products": [
        {
          "productID": "lifetime", "type": "NonConsumable", "displayPrice": "199.99",
          "codeOffers": [{"referenceName": "half", "displayPrice": "99.99"}]
        },
        {
          "productID": "coins", "type": "Consumable", "displayPrice": "0.99",
          "codeOffers": [{"referenceName": "gift", "paymentMode": "free"}]
        }
      ],
      "subscriptionGroups": [{
        "id": "1",
        "subscriptions": [
          {
            "productID": "gold", "groupNumber": 1, "displayPrice": "19.99", "recurringSubscriptionPeriod": "P1M",
            "adHocOffers": [
              {"offerID": "gold.quarter", "paymentMode": "payUpFront", "subscriptionPeriod": "P3M",
               "displayPrice": "29.99"}
            ],
            "codeOffers": [
              {"referenceName": "gold.code", "paymentMode": "free", "subscriptionPeriod": "P2W",
               "eligibility": ["existing"]}
            ]
          },
          {
            "productID": "silver", "groupNumber": 2, "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M",
            "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P1W"},
            "adHocOffers": [
              {"offerID": "silver.half", "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M",
               "numberOfPeriods": 2, "displayPrice": "4.99"},
              {"offerID": "silver.free", "paymentMode": "free", "subscriptionPeriod": "P2M"}
            ],
            "codeOffers": [
              {"referenceName": "silver.stack", "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M",
               "numberOfPeriods": 2, "displayPrice": "1.99", "eligibility": ["new", "existing"], "isStackable": true},
              {"referenceName": "silver.replace", "paymentMode": "free", "subscriptionPeriod": "P1M",
               "eligibility": ["new", "expired"], "isStackable": false}
            ],
            "winbackOffers": [
              {"offerID": "back.normal", "paymentMode": "free", "subscriptionPeriod": "P1M"},
              {"offerID": "back.high", "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M",
               "numberOfPeriods": 3, "displayPrice": "2.99", "priority": "HIGH",
               "customerEligibilityPaidSubscriptionDurationInMonths": 2,
               "customerEligibilityTimeSinceLastSubscribedInMonths": {"minimum": 1, "maximum": 6},
               "customerEligibilityWaitBetweenOffersInMonths": 12},
              {"offerID": "back.summer", "paymentMode": "free", "subscriptionPeriod": "P1W",
               "startDate": "2026-07-01", "endDate": "2026-08-01"}
            ]
          },
          {
            "productID": "silver.yearly", "groupNumber": 2, "displayPrice": "99.99",
            "recurringSubscriptionPeriod": "P1Y",
            "codeOffers": [{"referenceName": "year.code", "paymentMode": "free", "subscriptionPeriod": "P1M"}]
          },
          {
            "productID": "bronze", "groupNumber": 3, "displayPrice": "0.99", "recurringSubscriptionPeriod": "P1M",
            "adHocOffers": [{"offerID": "bronze.free", "paymentMode": "free", "subscriptionPeriod": "P1M"}],
            "codeOffers": [{"referenceName": "bronze.code", "paymentMode": "free", "subscriptionPeriod": "P1M"}]
          }
        ]
      }]
    }
    """
