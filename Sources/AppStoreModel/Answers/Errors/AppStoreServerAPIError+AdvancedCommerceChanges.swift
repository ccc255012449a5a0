// The numbers and messages of these errors come from other users of the API; the names are Apple's.
extension AppStoreServerAPIError {
    /// Advanced Commerce requests whose parts are inconsistent with each other or with the subscription.
    static let malformedAdvancedCommerceChanges: [AppStoreServerAPIError] = [
        .init(
            4000133,
            "MismatchedStorefront",
            "The storefronts mismatch.",
            meaning: "Use the storefront of the customer's transaction."
        ),
        .init(
            4000134,
            "MissingPricingConfigForStorefront",
            "Pricing isn't configured for the storefront.",
            meaning: "Set the product up for the storefront in App Store Connect."
        ),
        .init(
            4000135,
            "OperationNotAllowed",
            "The operation isn't allowed.",
            meaning: "This request does not fit the subscription or the product."
        ),
        .init(4000136, "MoreItemsThanAllowed", "More items were provided than allowed.", meaning: "Send fewer items."),
        .init(
            4000137,
            "MoreOffersThanAllowed",
            "More offers were provided than allowed.",
            meaning: "Send fewer offers."
        ),
        .init(
            4000139,
            "EmptyAddChangeItems",
            "The addItems and changeItems entries cannot be empty.",
            meaning: "Omit an empty list."
        ),
        .init(
            4000140,
            "MissingUpdatedItemsWithPeriodChange",
            "All items must be updated on a period change.",
            meaning: "Name every item of the subscription."
        ),
        .init(
            4000141,
            "PeriodResetWithRetainBillingCycle",
            "Period reset conflicts with retaining billing cycle.",
            meaning: "Either begin a new period or keep the billing cycle."
        ),
        .init(
            4000142,
            "PeriodChangeEffectiveConflict",
            "A period change at next cycle conflicts with addition at the current period.",
            meaning: "Let both take effect at the same time."
        ),
        .init(
            4000143,
            "MultipleOperationsOnSingleSKU",
            "Multiple operations on a single SKU isn't allowed.",
            meaning: "Name each SKU once."
        ),
        .init(
            4000144,
            "RemoveItemsWithoutAddOrChangeItems",
            "The removeItems object was present without addItems or changeItems.",
            meaning: "Add or change an item in the same request."
        ),
        .init(
            4000145,
            "RemoveItemNotFound",
            "A product in removeItems wasn't found for the given subscription.",
            meaning: "Remove only what the subscription has."
        ),
        .init(
            4000146,
            "ChangeItemNotFound",
            "The targeted item in changeItems wasn't found.",
            meaning: "Change only what the subscription has."
        ),
        .init(
            4000147,
            "MisalignedBillingCycle",
            "The request contains a billing period that doesn't align with the subscription's billing cycle.",
            meaning: "Use the billing cycle of the subscription."
        ),
        .init(
            4000148,
            "BillingCycleResetWithEffectiveLater",
            "Bill cycle reset with effective later.",
            meaning: "A billing cycle restarts only with a change that takes effect immediately."
        ),
        .init(
            4000149,
            "PeriodChangeImmediateWithEffectiveAtNextBillingCycle",
            "Period change immediately with effective later.",
            meaning: "Let both take effect at the same time."
        ),
        .init(
            4000150,
            "MultiplePrices",
            "Prorated price and offer price are mutually exclusive.",
            meaning: "Send one of the two prices."
        ),
        .init(
            4000151,
            "InvalidProratedPrice",
            "The prorated price was invalid.",
            meaning: "A prorated price is at most the price."
        ),
        .init(
            4000152,
            "InvalidOfferPrice",
            "The subscription offer price is higher than the regular subscription price.",
            meaning: "An offer costs at most the price."
        ),
        .init(
            4000153,
            "NullRefundAmount",
            "The refundAmount value is invalid.",
            meaning: "Add `refundAmount`: a CUSTOM refund needs it."
        ),
        .init(
            4000154,
            "NegativeRefundAmount",
            "The refundAmount must be a positive number.",
            meaning: "An amount is in thousandths of the currency's unit, and not negative."
        ),
        .init(
            4000155,
            "RefundAmountWithoutCustom",
            "Can't provide the refund amount because the refundType isn't CUSTOM.",
            meaning: "Leave `refundAmount` out, or make the refund a CUSTOM one."
        ),
        .init(
            4000158,
            "SimulateRefundDeclineOnlyInSandbox",
            "The type SIMULATE_REFUND_DECLINE is only valid in Sandbox.",
            meaning: "Use another reason in production."
        ),
        .init(
            4000160,
            "AtLeastOneItem",
            "When included, provide at least one item in items.",
            meaning: "Omit an empty list."
        ),
        .init(
            4000165,
            "AtLeastOneOfDisplayNameOrDescription",
            "Provide either the displayName or a description.",
            meaning: "Specify which of the two to change."
        ),
        .init(
            4000167,
            "InvalidTargetProductID",
            "The targetProductID value is invalid.",
            meaning: "Use a generic product of the app."
        ),
        .init(
            4000168,
            "RemovalAllNotAllowed",
            "The active subscription must contain at least one item and cannot be completely empty.",
            meaning: "Leave one item, or cancel the subscription."
        ),
        .init(
            4000172,
            "InvalidOperation",
            "The operation is invalid.",
            meaning: "Use the operation that belongs to the request."
        ),
        .init(
            4000173,
            "MalformedPayload",
            "The payload is malformed.",
            meaning: "Check the JSON against Apple's objects."
        ),
        .init(
            4000174,
            "InvalidSignature",
            "The signature is invalid.",
            meaning: "Sign with the app's In-App Purchase key, and do not change the request afterwards."
        ),
        .init(
            4000177,
            "OfferPreventsItemMidCycleChange",
            "An existing offer prevents changes to the item mid-cycle.",
            meaning: "Let the change take effect at the next renewal."
        ),
        .init(
            4000178,
            "PriceChangeNotSupportedThroughModifyItems",
            "Changing the price isn't supported as part of a modify items request.",
            meaning: "Use Change Subscription Price."
        ),
        .init(
            4000179,
            "ItemLimitExceeded",
            "The number of items in subscription exceeds the limit.",
            meaning: "Remove items first."
        ),
        .init(
            4000180,
            "PendingChangesMismatch",
            "Pending subscription changes must specify a renewalItem, and if there are no pending "
                + "changes, a renewalItem cannot be specified.",
            meaning: "Name the items of the next renewal exactly when changes are pending."
        ),
        .init(
            4000182,
            "ProratedOnlyLatestTransaction",
            "Only requests against the latest transaction can have a PRORATED refundType value.",
            meaning: "Use FULL or CUSTOM for earlier transactions."
        ),
        .init(
            4000184,
            "PartialSimulateRefundDecline",
            "If one item has a refundReason value of SIMULATE_REFUND_DECLINE, all items must have a "
                + "refundReason value of SIMULATE_REFUND_DECLINE.",
            meaning: "Give all items the same reason."
        ),
        .init(
            4000186,
            "RevokeOnInactiveSubscription",
            "Only active subscriptions are revocable.",
            meaning: "Request a refund of the transaction instead."
        ),
        .init(
            4000192,
            "DependentSKUsCannotBeShared",
            "Invalid request. dependentSKUs can't be shared between multiple SKUs.",
            meaning: "Let each SKU depend on one other."
        ),
        .init(
            4000193,
            "DependentSKUsCannotBeChained",
            "Dependent SKUs can't have dependent SKUs.",
            meaning: "Let SKUs depend on one that depends on none."
        ),
        .init(
            4000194,
            "ItemCannotBeSpecifiedMultipleTimes",
            "The same SKU can't be repeated in this request.",
            meaning: "Name each SKU once."
        ),
        .init(
            4000214,
            "InvalidPriceForChangeItemInPriceIncrease",
            "Price provided for a changed item with an offer while subject to a price increase was invalid.",
            meaning: "Use the price that was announced to the customer."
        ),
        .init(
            4000220,
            "InvalidSKUProvidedMustBeCurrentSKUSetToRenew",
            "SKU values provided in request must be a SKU that will renew.",
            meaning: "Name SKUs of the next renewal."
        ),
        .init(
            4000221,
            "ACAPriceIncreaseIsNotCurrentlySupportedInIndia",
            "Price increases aren't supported in India at this time.",
            meaning: "Leave the price as it is in India."
        ),
        .init(
            4000222,
            "InvalidProratedPriceForChangeItemWithEffectiveLater",
            "Prorated price should not be present for change items with type effective later.",
            meaning: "Leave the prorated price out."
        ),
        .init(
            4000223,
            "FreeTrialOfferMustUsePeriodCountOfOne",
            "The subscription offer configuration is invalid. Free trial offers must use a period count of 1.",
            meaning: "Give a free trial one period."
        ),
    ]
}
