extension Catalog {
    /// The default catalogue: two groups, all payment modes of introductory offers, one offer of every other kind, and
    /// one product of every other type.
    ///
    /// - Throws: `CatalogError` if the built-in file is invalid, which the tests exclude.
    public static func example() throws(CatalogError) -> Catalog {
        try Catalog(storekit: Array(exampleSource.utf8))
    }

    private static let exampleSource = """
        {
          "identifier": "50455245",
          "nonRenewingSubscriptions": [
            {
              "displayPrice": "19.99",
              "familyShareable": false,
              "internalID": "6400000107",
              "localizations": [],
              "productID": "season.pass",
              "referenceName": "Season pass",
              "type": "NonRenewingSubscription"
            }
          ],
          "products": [
            {
              "displayPrice": "199.99",
              "familyShareable": true,
              "internalID": "6400000105",
              "localizations": [],
              "productID": "lifetime",
              "referenceName": "Lifetime",
              "type": "NonConsumable"
            },
            {
              "displayPrice": "0.99",
              "familyShareable": false,
              "internalID": "6400000106",
              "localizations": [],
              "productID": "coins.100",
              "referenceName": "100 coins",
              "type": "Consumable"
            }
          ],
          "settings": { "_locale": "en_US", "_storefront": "USA" },
          "subscriptionGroups": [
            {
              "id": "21000001",
              "localizations": [],
              "name": "Pro",
              "subscriptions": [
                {
                  "adHocOffers": [],
                  "codeOffers": [],
                  "displayPrice": "79.99",
                  "familyShareable": true,
                  "groupNumber": 1,
                  "internalID": "6400000102",
                  "introductoryOffer": {
                    "displayPrice": "29.99",
                    "internalID": "PROYEARINTRO",
                    "numberOfPeriods": 1,
                    "paymentMode": "payUpFront",
                    "subscriptionPeriod": "P6M"
                  },
                  "localizations": [],
                  "productID": "pro.yearly",
                  "recurringSubscriptionPeriod": "P1Y",
                  "referenceName": "Pro, yearly",
                  "subscriptionGroupID": "21000001",
                  "type": "RecurringSubscription"
                },
                {
                  "adHocOffers": [
                    {
                      "displayPrice": "4.99",
                      "internalID": "PROMONTHSTAY",
                      "numberOfPeriods": 3,
                      "offerID": "pro.monthly.stay",
                      "paymentMode": "payAsYouGo",
                      "referenceName": "Stay at half the price",
                      "subscriptionPeriod": "P1M"
                    }
                  ],
                  "codeOffers": [
                    {
                      "eligibility": ["new", "existing", "expired"],
                      "internalID": "PROMONTHCODE",
                      "isStackable": true,
                      "numberOfPeriods": 1,
                      "paymentMode": "free",
                      "referenceName": "pro.monthly.gift",
                      "subscriptionPeriod": "P1M"
                    }
                  ],
                  "displayPrice": "9.99",
                  "familyShareable": true,
                  "groupNumber": 1,
                  "internalID": "6400000101",
                  "introductoryOffer": {
                    "internalID": "PROMONTHINTRO",
                    "numberOfPeriods": 1,
                    "paymentMode": "free",
                    "subscriptionPeriod": "P1W"
                  },
                  "localizations": [],
                  "productID": "pro.monthly",
                  "recurringSubscriptionPeriod": "P1M",
                  "referenceName": "Pro, monthly",
                  "subscriptionGroupID": "21000001",
                  "type": "RecurringSubscription",
                  "winbackOffers": [
                    {
                      "customerEligibilityPaidSubscriptionDurationInMonths": 1,
                      "customerEligibilityTimeSinceLastSubscribedInMonths": { "minimum": 2, "maximum": 24 },
                      "displayPrice": "2.99",
                      "internalID": "PROMONTHBACK",
                      "numberOfPeriods": 3,
                      "offerID": "pro.monthly.back",
                      "paymentMode": "payAsYouGo",
                      "priority": "HIGH",
                      "referenceName": "Come back",
                      "subscriptionPeriod": "P1M"
                    }
                  ]
                },
                {
                  "adHocOffers": [],
                  "codeOffers": [],
                  "displayPrice": "2.99",
                  "familyShareable": false,
                  "groupNumber": 2,
                  "internalID": "6400000103",
                  "introductoryOffer": null,
                  "localizations": [],
                  "productID": "pro.weekly",
                  "recurringSubscriptionPeriod": "P1W",
                  "referenceName": "Pro, weekly",
                  "subscriptionGroupID": "21000001",
                  "type": "RecurringSubscription"
                }
              ]
            },
            {
              "id": "21000002",
              "localizations": [],
              "name": "Plus",
              "subscriptions": [
                {
                  "adHocOffers": [],
                  "codeOffers": [],
                  "displayPrice": "4.99",
                  "familyShareable": false,
                  "groupNumber": 1,
                  "internalID": "6400000104",
                  "introductoryOffer": {
                    "displayPrice": "1.99",
                    "internalID": "PLUSMONTHINTRO",
                    "numberOfPeriods": 3,
                    "paymentMode": "payAsYouGo",
                    "subscriptionPeriod": "P1M"
                  },
                  "localizations": [],
                  "productID": "plus.monthly",
                  "recurringSubscriptionPeriod": "P1M",
                  "referenceName": "Plus, monthly",
                  "subscriptionGroupID": "21000002",
                  "type": "RecurringSubscription"
                }
              ]
            }
          ],
          "version": { "major": 4, "minor": 0 }
        }
        """
}
