import LocalAppStore

/// The products of the two years: every type of product and every kind of offer.
///
/// | group | products |
/// | --- | --- |
/// | 1 | `gold` above `silver` and `silver.yearly` above `bronze`, with every offer |
/// | 2 | `home.yearly`, `home.monthly` and `home.weekly`, of which the first two are shared with families |
/// | 3 | `plus`, with an introductory price |
/// | 4 | `team`, of which seats are sold |
/// | 5 | `bundle`, for Advanced Commerce |
enum TwoYearsCatalog {
    /// Subscriptions that a customer buys alone.
    static let plans = [
        "gold", "silver", "silver.yearly", "bronze", "home.yearly", "home.monthly", "home.weekly", "plus",
    ]
    /// Products without renewal.
    static let oneTime = ["lifetime", "coins", "season"]
    /// Subscriptions whose plan is changed in another way.
    static let special: Set<String> = ["team", "bundle"]

    /// The catalogue, with or without `home.weekly`.
    static func catalog(hasWeekly: Bool = true) throws -> Catalog {
        let text = hasWeekly ? source : source.replacing(weekly, with: "")
        return try Catalog(storekit: Array(text.utf8))
    }

    private static let weekly = """
        {"productID": "home.weekly", "groupNumber": 2, "displayPrice": "2.99", "recurringSubscriptionPeriod": "P1W"},
        """

    private static let source = """
        {
          "version": {"major": 4},
          "nonRenewingSubscriptions": [
            {"productID": "season", "type": "NonRenewingSubscription", "displayPrice": "19.99"}
          ],
          "products": [
            {"productID": "lifetime", "type": "NonConsumable", "displayPrice": "199.99", "familyShareable": true,
             "codeOffers": [{"referenceName": "half", "displayPrice": "99.99"}]},
            {"productID": "coins", "type": "Consumable", "displayPrice": "0.99",
             "codeOffers": [{"referenceName": "gift", "paymentMode": "free"}]}
          ],
          "subscriptionGroups": [
            {"id": "1", "subscriptions": [\(tiers)]},
            {"id": "2", "subscriptions": [\(weekly)\(home)]},
            {"id": "3", "subscriptions": [
              {"productID": "plus", "displayPrice": "4.99", "recurringSubscriptionPeriod": "P1M",
               "introductoryOffer": {"paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M", "numberOfPeriods": 3,
                                     "displayPrice": "1.99"}}
            ]},
            {"id": "4", "subscriptions": [
              {"productID": "team", "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M"}
            ]},
            {"id": "5", "subscriptions": [
              {"productID": "bundle", "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M"}
            ]}
          ]
        }
        """

    private static let tiers = """
        {"productID": "gold", "groupNumber": 1, "displayPrice": "19.99", "recurringSubscriptionPeriod": "P1M",
         "adHocOffers": [{"offerID": "gold.quarter", "paymentMode": "payUpFront", "subscriptionPeriod": "P3M",
                          "displayPrice": "29.99"}],
         "codeOffers": [{"referenceName": "gold.code", "paymentMode": "free", "subscriptionPeriod": "P2W",
                         "eligibility": ["new", "existing", "expired"]}]},
        {"productID": "silver", "groupNumber": 2, "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M",
         "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P1W"},
         "adHocOffers": [{"offerID": "silver.half", "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M",
                          "numberOfPeriods": 2, "displayPrice": "4.99"},
                         {"offerID": "silver.free", "paymentMode": "free", "subscriptionPeriod": "P2M"}],
         "codeOffers": [{"referenceName": "silver.stack", "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M",
                         "numberOfPeriods": 2, "displayPrice": "1.99", "eligibility": ["new", "existing"],
                         "isStackable": true},
                        {"referenceName": "silver.replace", "paymentMode": "free", "subscriptionPeriod": "P1M",
                         "eligibility": ["new", "existing", "expired"], "isStackable": false}],
         "winbackOffers": [{"offerID": "back.normal", "paymentMode": "free", "subscriptionPeriod": "P1M"},
                           {"offerID": "back.high", "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M",
                            "numberOfPeriods": 3, "displayPrice": "2.99", "priority": "HIGH",
                            "customerEligibilityPaidSubscriptionDurationInMonths": 1,
                            "customerEligibilityTimeSinceLastSubscribedInMonths": {"minimum": 1, "maximum": 12},
                            "customerEligibilityWaitBetweenOffersInMonths": 3}]},
        {"productID": "silver.yearly", "groupNumber": 2, "displayPrice": "99.99", "recurringSubscriptionPeriod": "P1Y",
         "codeOffers": [{"referenceName": "year.code", "paymentMode": "free", "subscriptionPeriod": "P1M"}]},
        {"productID": "bronze", "groupNumber": 3, "displayPrice": "0.99", "recurringSubscriptionPeriod": "P1M",
         "adHocOffers": [{"offerID": "bronze.free", "paymentMode": "free", "subscriptionPeriod": "P1M"}],
         "codeOffers": [{"referenceName": "bronze.code", "paymentMode": "free", "subscriptionPeriod": "P1M"}]}
        """

    private static let home = """
        {"productID": "home.yearly", "groupNumber": 1, "displayPrice": "79.99", "recurringSubscriptionPeriod": "P1Y",
         "familyShareable": true,
         "introductoryOffer": {"paymentMode": "payUpFront", "subscriptionPeriod": "P6M", "displayPrice": "29.99"}},
        {"productID": "home.monthly", "groupNumber": 1, "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M",
         "familyShareable": true}
        """
}
