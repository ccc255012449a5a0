// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension AppStoreServerAPIError {
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund.
    public static let repeatedRequestReferenceId = AppStoreServerAPIError(
        4000097,
        "RepeatedRequestReferenceId",
        "The requestReferenceId was repeated.",
        meaning: "Apple already received this request: check its result, or send a new one with a new UUID."
    )
    /// Raised for: Migrate a Subscription.
    public static let subscriptionAlreadyMigrated = AppStoreServerAPIError(
        4000176,
        "SubscriptionAlreadyMigrated",
        "The subscription was already migrated.",
        meaning: "Nothing is left to do."
    )
    /// Raised for: Revoke Subscription, Request Transaction Refund.
    public static let pendingRefund = AppStoreServerAPIError(
        4000181,
        "PendingRefund",
        "The transaction has pending refunds.",
        meaning: "Wait until Apple has decided about the pending refund.",
        retry: .whenReady
    )
    /// Raised for: Change Subscription Price.
    public static let priceChangeCannotBeIssuedWhenAlreadyCommunicated = AppStoreServerAPIError(
        4000205,
        "PriceChangeCannotBeIssuedWhenAlreadyCommunicated",
        "A price change can't be issued when the price increase has already been communicated.",
        meaning: "Wait until the announced increase is in force."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund.
    public static let unauthorized = AppStoreServerAPIError(
        4010000,
        "Unauthorized",
        "Unauthorized.",
        meaning: "Apple refuses the token, or the developer account has no access to Advanced Commerce."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund.
    public static let subscriptionDoesNotExist = AppStoreServerAPIError(
        4030008,
        "SubscriptionDoesNotExist",
        "The subscription doesn't exist.",
        meaning: "The transaction belongs to no subscription."
    )
    /// Raised for: Migrate a Subscription.
    public static let subscriptionAlreadyExists = AppStoreServerAPIError(
        4030009,
        "SubscriptionAlreadyExists",
        "The subscription already exists.",
        meaning: "Change the subscription that the customer has."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription.
    public static let subscriptionNotEligible = AppStoreServerAPIError(
        4030010,
        "SubscriptionNotEligible",
        "The subscription isn't eligible for the requested changes.",
        meaning: "Look at the state of the subscription: it must be active, and not in billing retry."
    )
    /// Nothing is left to do.
    public static let subscriptionAlreadyActive = AppStoreServerAPIError(
        4030011,
        "SubscriptionAlreadyActive",
        "The subscription is already active, and cannot be reactivated or renewed at this time.",
        meaning: "Nothing is left to do."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund.
    public static let productNotOwned = AppStoreServerAPIError(
        4030013,
        "ProductNotOwned",
        "The customer doesn't own the product.",
        meaning: "Use the transaction of a customer who bought the product."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata.
    public static let inactiveACASub = AppStoreServerAPIError(
        4030015,
        "InactiveACASub",
        "The subscription is not active.",
        meaning: "Only an active subscription can be changed or revoked."
    )
    /// Raised for: Request Transaction Refund.
    public static let insufficientFunds = AppStoreServerAPIError(
        4030020,
        "InsufficientFunds",
        "Insufficient funds for refund.",
        meaning: "Apple cannot pay the refund from your earnings now."
    )
    /// Raised for: Request Transaction Refund.
    public static let alreadyRefunded = AppStoreServerAPIError(
        4030021,
        "AlreadyRefunded",
        "The transaction was already refunded.",
        meaning: "Nothing is left to do."
    )
    /// Raised for: Change Subscription Price, Change Subscription Metadata, Migrate a Subscription.
    public static let storefrontChange = AppStoreServerAPIError(
        4030022,
        "StorefrontChange",
        "The storefront changed.",
        meaning: "The customer moved to another storefront: let them begin a new subscription."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund.
    public static let productNotEligible = AppStoreServerAPIError(
        4030023,
        "ProductNotEligible",
        "The product isn't eligible for the requested operation.",
        meaning: "Use a product that is set up for Advanced Commerce."
    )
    /// Raised for: Request Transaction Refund.
    public static let transactionNotRefundable = AppStoreServerAPIError(
        4030024,
        "TransactionNotRefundable",
        "The transaction is not refundable.",
        meaning: "This transaction cannot be refunded."
    )
    /// Raised for: Request Transaction Refund.
    public static let transactionCannotBeRefundedContactSupport = AppStoreServerAPIError(
        4030025,
        "TransactionCannotBeRefundedContactSupport",
        "The transaction can't be refunded; customer can contact Apple Support for assistance.",
        meaning: "Send the customer to Apple's support."
    )
    /// Raised for: Migrate a Subscription.
    public static let migrationNotAllowedWhenPriceIncreaseCommunicated = AppStoreServerAPIError(
        4030027,
        "MigrationNotAllowedWhenPriceIncreaseCommunicated",
        "Migration isn't allowed because a price increase was already communicated to the customer.",
        meaning: "Migrate after the increase is in force."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund.
    public static let productNotFound = AppStoreServerAPIError(
        4040016,
        "ProductNotFound",
        "Product not found.",
        meaning: "The product is not one of the app's."
    )
    /// Raised for: Change Subscription Price, Request Transaction Refund.
    public static let invalidCurrency = AppStoreServerAPIError(
        4000053,
        "InvalidCurrency",
        "The currency value is invalid.",
        meaning: "Use an ISO 4217 code that the storefront has."
    )
    /// Specify what to change.
    public static let oneItemNeededInModify = AppStoreServerAPIError(
        4000063,
        "OneItemNeededInModify",
        "At least one type of change must be provided in a modify subscription request.",
        meaning: "Specify what to change."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund.
    public static let nullRequestInfo = AppStoreServerAPIError(
        4000079,
        "NullRequestInfo",
        "The required field, requestInfo, is missing.",
        meaning: "Add `requestInfo`."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund.
    public static let nullRequestReferenceID = AppStoreServerAPIError(
        4000080,
        "NullRequestReferenceID",
        "The required field, requestReferenceId, is missing.",
        meaning: "Add `requestReferenceId`."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund.
    public static let invalidRequestReferenceID = AppStoreServerAPIError(
        4000081,
        "InvalidRequestReferenceID",
        "The requestReferenceId value is invalid.",
        meaning: "Use a UUID."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata.
    public static let invalidConsistencyToken = AppStoreServerAPIError(
        4000082,
        "InvalidConsistencyToken",
        "The consistencyToken value is invalid.",
        meaning: "Use the token of the newest signed data, or none."
    )
    /// Add `version`.
    public static let nullVersion = AppStoreServerAPIError(
        4000083,
        "NullVersion",
        "The required field, version, is missing.",
        meaning: "Add `version`."
    )
    /// Use the version that Apple documents.
    public static let unexpectedVersion = AppStoreServerAPIError(
        4000084,
        "UnexpectedVersion",
        "The value of version is invalid.",
        meaning: "Use the version that Apple documents."
    )
    /// Add `transactionId`.
    public static let nullTransactionId = AppStoreServerAPIError(
        4000085,
        "NullTransactionId",
        "The required field, transactionId, is missing.",
        meaning: "Add `transactionId`."
    )
    /// Raised for: Change Subscription Price.
    public static let negativePrice = AppStoreServerAPIError(
        4000086,
        "NegativePrice",
        "The price field must contain a positive number.",
        meaning: "A price is in thousandths of the currency's unit, and not negative."
    )
    /// Raised for: Change Subscription Price, Change Subscription Metadata, Migrate a Subscription, Request Transaction
    /// Refund.
    public static let skuLengthExceeded = AppStoreServerAPIError(
        4000087,
        "SKULengthExceeded",
        "Exceeds the maximum length of the SKU field.",
        meaning: "A SKU has at most 128 characters."
    )
    /// Raised for: Change Subscription Metadata, Migrate a Subscription.
    public static let descriptionLengthExceeded = AppStoreServerAPIError(
        4000088,
        "DescriptionLengthExceeded",
        "Exceeds the maximum length of the description field.",
        meaning: "A description has at most 45 characters."
    )
    /// Raised for: Change Subscription Metadata, Migrate a Subscription.
    public static let displayNameLengthExceeded = AppStoreServerAPIError(
        4000089,
        "DisplayNameLengthExceeded",
        "Exceeds the maximum length of the displayName field.",
        meaning: "A display name has at most 30 characters."
    )
    /// A prorated price is in thousandths of the currency's unit, and not negative.
    public static let negativeProratedPrice = AppStoreServerAPIError(
        4000091,
        "NegativeProratedPrice",
        "The prorated price is negative.",
        meaning: "A prorated price is in thousandths of the currency's unit, and not negative."
    )
    /// Add `offer period`.
    public static let nullOfferPeriod = AppStoreServerAPIError(
        4000092,
        "NullOfferPeriod",
        "The required field, offer period, is missing.",
        meaning: "Add `offer period`."
    )
    /// Add `periodCount`.
    public static let nullPeriodCount = AppStoreServerAPIError(
        4000093,
        "NullPeriodCount",
        "The required field, periodCount, is missing.",
        meaning: "Add `periodCount`."
    )
    /// Count periods from 1.
    public static let periodCountNotPositive = AppStoreServerAPIError(
        4000094,
        "PeriodCountNotPositive",
        "Period count must be a positive number.",
        meaning: "Count periods from 1."
    )
    /// Add `reason`.
    public static let nullReason = AppStoreServerAPIError(
        4000095,
        "NullReason",
        "The required field, reason, is missing.",
        meaning: "Add `reason`."
    )
    /// Use the original transaction id of the customer's earlier subscription.
    public static let invalidPreviousTransactionID = AppStoreServerAPIError(
        4000096,
        "InvalidPreviousTransactionID",
        "Previous original transaction id is invalid.",
        meaning: "Use the original transaction id of the customer's earlier subscription."
    )
    /// Add `currency`.
    public static let nullCurrency = AppStoreServerAPIError(
        4000098,
        "NullCurrency",
        "The required field, currency, is missing.",
        meaning: "Add `currency`."
    )
    /// Raised for: Migrate a Subscription.
    public static let nullTaxCode = AppStoreServerAPIError(
        4000099,
        "NullTaxCode",
        "The required field, taxCode, is missing.",
        meaning: "Add `taxCode`."
    )
    /// Add `storefront`.
    public static let nullStorefront = AppStoreServerAPIError(
        4000100,
        "NullStorefront",
        "The required field, storefront, is missing.",
        meaning: "Add `storefront`."
    )
    /// Raised for: Change Subscription Price, Migrate a Subscription, Request Transaction Refund.
    public static let nullItems = AppStoreServerAPIError(
        4000101,
        "NullItems",
        "The required field, items, is missing.",
        meaning: "Add `items`."
    )
    /// Raised for: Change Subscription Price, Change Subscription Metadata, Migrate a Subscription, Request Transaction
    /// Refund.
    public static let nullItem = AppStoreServerAPIError(
        4000102,
        "NullItem",
        "The required field, item, is missing.",
        meaning: "Add `item`."
    )
    /// Raised for: Migrate a Subscription.
    public static let nullDescriptors = AppStoreServerAPIError(
        4000103,
        "NullDescriptors",
        "The required field, descriptors, is missing.",
        meaning: "Add `descriptors`."
    )
    /// Add `period`.
    public static let nullPeriod = AppStoreServerAPIError(
        4000104,
        "NullPeriod",
        "The required field, period, is missing.",
        meaning: "Add `period`."
    )
    /// Raised for: Change Subscription Price, Migrate a Subscription, Request Transaction Refund.
    public static let nullSKU = AppStoreServerAPIError(
        4000105,
        "NullSKU",
        "The required field, SKU, is missing.",
        meaning: "Add `SKU`."
    )
    /// Raised for: Migrate a Subscription.
    public static let nullDisplayName = AppStoreServerAPIError(
        4000106,
        "NullDisplayName",
        "The required field, displayName, is missing.",
        meaning: "Add `displayName`."
    )
    /// Raised for: Migrate a Subscription.
    public static let nullDescription = AppStoreServerAPIError(
        4000107,
        "NullDescription",
        "The required field, description, is missing.",
        meaning: "Add `description`."
    )
    /// Raised for: Change Subscription Price.
    public static let nullPrice = AppStoreServerAPIError(
        4000109,
        "NullPrice",
        "The required field, price, is missing.",
        meaning: "Add `price`."
    )
    /// Add `retainBillingCycle`.
    public static let nullRetainBillingCycle = AppStoreServerAPIError(
        4000110,
        "NullRetainBillingCycle",
        "The required field, retainBillingCycle, is missing.",
        meaning: "Add `retainBillingCycle`."
    )
    /// Raised for: Change Subscription Metadata.
    public static let nullEffective = AppStoreServerAPIError(
        4000111,
        "NullEffective",
        "The required field, effective, is missing.",
        meaning: "Add `effective`."
    )
    /// Add `SKU in changeItems`.
    public static let nullNewSKU = AppStoreServerAPIError(
        4000112,
        "NullNewSKU",
        "The required field, SKU in changeItems, is missing.",
        meaning: "Add `SKU in changeItems`."
    )
    /// Use a former subscription of the customer.
    public static let invalidPreviousSubscription = AppStoreServerAPIError(
        4000113,
        "InvalidPreviousSubscription",
        "The previous subscription targeted is invalid.",
        meaning: "Use a former subscription of the customer."
    )
    /// Raised for: Change Subscription Metadata.
    public static let productAlreadyExists = AppStoreServerAPIError(
        4000114,
        "ProductAlreadyExists",
        "Provided SKU is already owned.",
        meaning: "Leave out the SKU that the customer has."
    )
    /// Raised for: Change Subscription Metadata.
    public static let invalidProductChanges = AppStoreServerAPIError(
        4000115,
        "InvalidProductChanges",
        "Product changes are invalid.",
        meaning: "Change only what the subscription has."
    )
    /// Use a generic product from App Store Connect.
    public static let invalidSalable = AppStoreServerAPIError(
        4000116,
        "InvalidSalable",
        "The targeted salable isn't configured as a generic salable.",
        meaning: "Use a generic product from App Store Connect."
    )
    /// Use a generic product of the same period.
    public static let invalidSalableDuration = AppStoreServerAPIError(
        4000117,
        "InvalidSalableDuration",
        "The salable duration is invalid.",
        meaning: "Use a generic product of the same period."
    )
    /// Raised for: Change Subscription Metadata, Migrate a Subscription.
    public static let invalidDisplayName = AppStoreServerAPIError(
        4000118,
        "InvalidDisplayName",
        "The displayName is invalid.",
        meaning: "A display name has 1 to 30 plain characters."
    )
    /// Raised for: Change Subscription Metadata, Migrate a Subscription.
    public static let invalidDescription = AppStoreServerAPIError(
        4000119,
        "InvalidDescription",
        "The description is invalid.",
        meaning: "A description has 1 to 45 plain characters."
    )
    /// Name a product of the subscription.
    public static let invalidProduct = AppStoreServerAPIError(
        4000121,
        "InvalidProduct",
        "The requested product to change doesn't exist.",
        meaning: "Name a product of the subscription."
    )
    /// Raised for: Change Subscription Price, Change Subscription Metadata, Migrate a Subscription, Request Transaction
    /// Refund.
    public static let invalidSKU = AppStoreServerAPIError(
        4000122,
        "InvalidSKU",
        "The SKU was invalid.",
        meaning: "Name a SKU of the transaction, 1 to 128 characters."
    )
    /// Raised for: Revoke Subscription, Request Transaction Refund.
    public static let invalidRefundType = AppStoreServerAPIError(
        4000123,
        "InvalidRefundType",
        "The refundType is invalid.",
        meaning: "The type is FULL, PRORATED or CUSTOM."
    )
    /// Raised for: Revoke Subscription, Request Transaction Refund.
    public static let invalidRefundReason = AppStoreServerAPIError(
        4000124,
        "InvalidRefundReason",
        "The refundReason is invalid.",
        meaning: "Use a reason that Apple documents."
    )
    /// Use a reason that Apple documents.
    public static let invalidChangeReason = AppStoreServerAPIError(
        4000125,
        "InvalidChangeReason",
        "The change reason is invalid.",
        meaning: "Use a reason that Apple documents."
    )
    /// The reason is ACQUISITION, WIN_BACK or RETENTION.
    public static let invalidOfferReason = AppStoreServerAPIError(
        4000126,
        "InvalidOfferReason",
        "The offer reason is invalid.",
        meaning: "The reason is ACQUISITION, WIN_BACK or RETENTION."
    )
    /// Raised for: Change Subscription Metadata, Migrate a Subscription.
    public static let invalidTaxProductCode = AppStoreServerAPIError(
        4000127,
        "InvalidTaxProductCode",
        "The taxCode is invalid.",
        meaning: "Use a tax code that Apple documents."
    )
    /// Use a period that Apple documents, such as P1M.
    public static let invalidOfferPeriod = AppStoreServerAPIError(
        4000128,
        "InvalidOfferPeriod",
        "The offer period is invalid.",
        meaning: "Use a period that Apple documents, such as P1M."
    )
    /// An offer has 1 to 12 periods.
    public static let invalidOfferPeriodCount = AppStoreServerAPIError(
        4000129,
        "InvalidOfferPeriodCount",
        "The offer periodCount is invalid.",
        meaning: "An offer has 1 to 12 periods."
    )
    /// Use a period that Apple documents, such as P1M.
    public static let invalidRenewalPeriod = AppStoreServerAPIError(
        4000130,
        "InvalidRenewalPeriod",
        "The renewal period is invalid.",
        meaning: "Use a period that Apple documents, such as P1M."
    )
    /// Use a price that the product's range allows.
    public static let invalidRenewalPrice = AppStoreServerAPIError(
        4000131,
        "InvalidRenewalPrice",
        "The renewal price is invalid.",
        meaning: "Use a price that the product's range allows."
    )
    /// Raised for: Request Transaction Refund.
    public static let invalidAmount = AppStoreServerAPIError(
        4000132,
        "InvalidAmount",
        "The amount is invalid.",
        meaning: "An amount is in thousandths of the currency's unit, and at most what was paid."
    )
    /// Raised for: Revoke Subscription, Request Transaction Refund.
    public static let nullRefundReason = AppStoreServerAPIError(
        4000156,
        "NullRefundReason",
        "The required field, refundReason, is missing.",
        meaning: "Add `refundReason`."
    )
    /// Raised for: Revoke Subscription, Request Transaction Refund.
    public static let nullRefundType = AppStoreServerAPIError(
        4000157,
        "NullRefundType",
        "The required field, refundType, is missing.",
        meaning: "Add `refundType`."
    )
    /// Raised for: Revoke Subscription, Request Transaction Refund.
    public static let nullRefundRisking = AppStoreServerAPIError(
        4000159,
        "NullRefundRisking",
        "The required field, refundRiskingPreference, is missing.",
        meaning: "Add `refundRiskingPreference`."
    )
    /// Raised for: Migrate a Subscription.
    public static let nullTargetProductID = AppStoreServerAPIError(
        4000166,
        "NullTargetProductID",
        "The required field, targetProductID, is missing.",
        meaning: "Add `targetProductID`."
    )
    /// Raised for: Change Subscription Metadata.
    public static let nullCurrentSKU = AppStoreServerAPIError(
        4000169,
        "NullCurrentSKU",
        "The required field, currentSKU, is missing.",
        meaning: "Add `currentSKU`."
    )
    /// Add `advancedCommerceData`.
    public static let nullAdvancedCommerceData = AppStoreServerAPIError(
        4000171,
        "NullAdvancedCommerceData",
        "The required field, advancedCommerceData, is missing.",
        meaning: "Add `advancedCommerceData`."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund.
    public static let mismatchedStorefront = AppStoreServerAPIError(
        4000133,
        "MismatchedStorefront",
        "The storefronts mismatch.",
        meaning: "Use the storefront of the customer's transaction."
    )
    /// Set the product up for the storefront in App Store Connect.
    public static let missingPricingConfigForStorefront = AppStoreServerAPIError(
        4000134,
        "MissingPricingConfigForStorefront",
        "Pricing isn't configured for the storefront.",
        meaning: "Set the product up for the storefront in App Store Connect."
    )
    /// This request does not fit the subscription or the product.
    public static let operationNotAllowed = AppStoreServerAPIError(
        4000135,
        "OperationNotAllowed",
        "The operation isn't allowed.",
        meaning: "This request does not fit the subscription or the product."
    )
    /// Send fewer items.
    public static let moreItemsThanAllowed = AppStoreServerAPIError(
        4000136,
        "MoreItemsThanAllowed",
        "More items were provided than allowed.",
        meaning: "Send fewer items."
    )
    /// Send fewer offers.
    public static let moreOffersThanAllowed = AppStoreServerAPIError(
        4000137,
        "MoreOffersThanAllowed",
        "More offers were provided than allowed.",
        meaning: "Send fewer offers."
    )
    /// Omit an empty list.
    public static let emptyAddChangeItems = AppStoreServerAPIError(
        4000139,
        "EmptyAddChangeItems",
        "The addItems and changeItems entries cannot be empty.",
        meaning: "Omit an empty list."
    )
    /// Name every item of the subscription.
    public static let missingUpdatedItemsWithPeriodChange = AppStoreServerAPIError(
        4000140,
        "MissingUpdatedItemsWithPeriodChange",
        "All items must be updated on a period change.",
        meaning: "Name every item of the subscription."
    )
    /// Either begin a new period or keep the billing cycle.
    public static let periodResetWithRetainBillingCycle = AppStoreServerAPIError(
        4000141,
        "PeriodResetWithRetainBillingCycle",
        "Period reset conflicts with retaining billing cycle.",
        meaning: "Either begin a new period or keep the billing cycle."
    )
    /// Let both take effect at the same time.
    public static let periodChangeEffectiveConflict = AppStoreServerAPIError(
        4000142,
        "PeriodChangeEffectiveConflict",
        "A period change at next cycle conflicts with addition at the current period.",
        meaning: "Let both take effect at the same time."
    )
    /// Name each SKU once.
    public static let multipleOperationsOnSingleSKU = AppStoreServerAPIError(
        4000143,
        "MultipleOperationsOnSingleSKU",
        "Multiple operations on a single SKU isn't allowed.",
        meaning: "Name each SKU once."
    )
    /// Add or change an item in the same request.
    public static let removeItemsWithoutAddOrChangeItems = AppStoreServerAPIError(
        4000144,
        "RemoveItemsWithoutAddOrChangeItems",
        "The removeItems object was present without addItems or changeItems.",
        meaning: "Add or change an item in the same request."
    )
    /// Remove only what the subscription has.
    public static let removeItemNotFound = AppStoreServerAPIError(
        4000145,
        "RemoveItemNotFound",
        "A product in removeItems wasn't found for the given subscription.",
        meaning: "Remove only what the subscription has."
    )
    /// Change only what the subscription has.
    public static let changeItemNotFound = AppStoreServerAPIError(
        4000146,
        "ChangeItemNotFound",
        "The targeted item in changeItems wasn't found.",
        meaning: "Change only what the subscription has."
    )
    /// Use the billing cycle of the subscription.
    public static let misalignedBillingCycle = AppStoreServerAPIError(
        4000147,
        "MisalignedBillingCycle",
        "The request contains a billing period that doesn't align with the subscription's billing cycle.",
        meaning: "Use the billing cycle of the subscription."
    )
    /// A billing cycle restarts only with a change that takes effect immediately.
    public static let billingCycleResetWithEffectiveLater = AppStoreServerAPIError(
        4000148,
        "BillingCycleResetWithEffectiveLater",
        "Bill cycle reset with effective later.",
        meaning: "A billing cycle restarts only with a change that takes effect immediately."
    )
    /// Let both take effect at the same time.
    public static let periodChangeImmediateWithEffectiveAtNextBillingCycle = AppStoreServerAPIError(
        4000149,
        "PeriodChangeImmediateWithEffectiveAtNextBillingCycle",
        "Period change immediately with effective later.",
        meaning: "Let both take effect at the same time."
    )
    /// Send one of the two prices.
    public static let multiplePrices = AppStoreServerAPIError(
        4000150,
        "MultiplePrices",
        "Prorated price and offer price are mutually exclusive.",
        meaning: "Send one of the two prices."
    )
    /// A prorated price is at most the price.
    public static let invalidProratedPrice = AppStoreServerAPIError(
        4000151,
        "InvalidProratedPrice",
        "The prorated price was invalid.",
        meaning: "A prorated price is at most the price."
    )
    /// An offer costs at most the price.
    public static let invalidOfferPrice = AppStoreServerAPIError(
        4000152,
        "InvalidOfferPrice",
        "The subscription offer price is higher than the regular subscription price.",
        meaning: "An offer costs at most the price."
    )
    /// Raised for: Request Transaction Refund.
    public static let nullRefundAmount = AppStoreServerAPIError(
        4000153,
        "NullRefundAmount",
        "The refundAmount value is invalid.",
        meaning: "Add `refundAmount`: a CUSTOM refund needs it."
    )
    /// Raised for: Request Transaction Refund.
    public static let negativeRefundAmount = AppStoreServerAPIError(
        4000154,
        "NegativeRefundAmount",
        "The refundAmount must be a positive number.",
        meaning: "An amount is in thousandths of the currency's unit, and not negative."
    )
    /// Raised for: Request Transaction Refund.
    public static let refundAmountWithoutCustom = AppStoreServerAPIError(
        4000155,
        "RefundAmountWithoutCustom",
        "Can't provide the refund amount because the refundType isn't CUSTOM.",
        meaning: "Leave `refundAmount` out, or make the refund a CUSTOM one."
    )
    /// Raised for: Revoke Subscription, Request Transaction Refund.
    public static let simulateRefundDeclineOnlyInSandbox = AppStoreServerAPIError(
        4000158,
        "SimulateRefundDeclineOnlyInSandbox",
        "The type SIMULATE_REFUND_DECLINE is only valid in Sandbox.",
        meaning: "Use another reason in production."
    )
    /// Raised for: Change Subscription Price, Change Subscription Metadata, Migrate a Subscription, Request Transaction
    /// Refund.
    public static let atLeastOneItem = AppStoreServerAPIError(
        4000160,
        "AtLeastOneItem",
        "When included, provide at least one item in items.",
        meaning: "Omit an empty list."
    )
    /// Raised for: Change Subscription Metadata.
    public static let atLeastOneOfDisplayNameOrDescription = AppStoreServerAPIError(
        4000165,
        "AtLeastOneOfDisplayNameOrDescription",
        "Provide either the displayName or a description.",
        meaning: "Specify which of the two to change."
    )
    /// Raised for: Migrate a Subscription.
    public static let invalidTargetProductID = AppStoreServerAPIError(
        4000167,
        "InvalidTargetProductID",
        "The targetProductID value is invalid.",
        meaning: "Use a generic product of the app."
    )
    /// Leave one item, or cancel the subscription.
    public static let removalAllNotAllowed = AppStoreServerAPIError(
        4000168,
        "RemovalAllNotAllowed",
        "The active subscription must contain at least one item and cannot be completely empty.",
        meaning: "Leave one item, or cancel the subscription."
    )
    /// Use the operation that belongs to the request.
    public static let invalidOperation = AppStoreServerAPIError(
        4000172,
        "InvalidOperation",
        "The operation is invalid.",
        meaning: "Use the operation that belongs to the request."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund.
    public static let malformedPayload = AppStoreServerAPIError(
        4000173,
        "MalformedPayload",
        "The payload is malformed.",
        meaning: "Check the JSON against Apple's objects."
    )
    /// Sign with the app's In-App Purchase key, and do not change the request afterwards.
    public static let invalidSignature = AppStoreServerAPIError(
        4000174,
        "InvalidSignature",
        "The signature is invalid.",
        meaning: "Sign with the app's In-App Purchase key, and do not change the request afterwards."
    )
    /// Let the change take effect at the next renewal.
    public static let offerPreventsItemMidCycleChange = AppStoreServerAPIError(
        4000177,
        "OfferPreventsItemMidCycleChange",
        "An existing offer prevents changes to the item mid-cycle.",
        meaning: "Let the change take effect at the next renewal."
    )
    /// Use Change Subscription Price.
    public static let priceChangeNotSupportedThroughModifyItems = AppStoreServerAPIError(
        4000178,
        "PriceChangeNotSupportedThroughModifyItems",
        "Changing the price isn't supported as part of a modify items request.",
        meaning: "Use Change Subscription Price."
    )
    /// Remove items first.
    public static let itemLimitExceeded = AppStoreServerAPIError(
        4000179,
        "ItemLimitExceeded",
        "The number of items in subscription exceeds the limit.",
        meaning: "Remove items first."
    )
    /// Raised for: Migrate a Subscription.
    public static let pendingChangesMismatch = AppStoreServerAPIError(
        4000180,
        "PendingChangesMismatch",
        "Pending subscription changes must specify a renewalItem, and if there are no pending changes, a renewalItem cannot be specified.",
        meaning: "Name the items of the next renewal exactly when changes are pending."
    )
    /// Raised for: Request Transaction Refund.
    public static let proratedOnlyLatestTransaction = AppStoreServerAPIError(
        4000182,
        "ProratedOnlyLatestTransaction",
        "Only requests against the latest transaction can have a PRORATED refundType value.",
        meaning: "Use FULL or CUSTOM for earlier transactions."
    )
    /// Raised for: Request Transaction Refund.
    public static let partialSimulateRefundDecline = AppStoreServerAPIError(
        4000184,
        "PartialSimulateRefundDecline",
        "If one item has a refundReason value of SIMULATE_REFUND_DECLINE, all items must have a refundReason value of SIMULATE_REFUND_DECLINE.",
        meaning: "Give all items the same reason."
    )
    /// Raised for: Revoke Subscription.
    public static let revokeOnInactiveSubscription = AppStoreServerAPIError(
        4000186,
        "RevokeOnInactiveSubscription",
        "Only active subscriptions are revocable.",
        meaning: "Request a refund of the transaction instead."
    )
    /// Raised for: Change Subscription Price.
    public static let dependentSKUsCannotBeShared = AppStoreServerAPIError(
        4000192,
        "DependentSKUsCannotBeShared",
        "Invalid request. dependentSKUs can't be shared between multiple SKUs.",
        meaning: "Let each SKU depend on one other."
    )
    /// Raised for: Change Subscription Price.
    public static let dependentSKUsCannotBeChained = AppStoreServerAPIError(
        4000193,
        "DependentSKUsCannotBeChained",
        "Dependent SKUs can't have dependent SKUs.",
        meaning: "Let SKUs depend on one that depends on none."
    )
    /// Raised for: Change Subscription Price, Change Subscription Metadata, Migrate a Subscription, Request Transaction
    /// Refund.
    public static let itemCannotBeSpecifiedMultipleTimes = AppStoreServerAPIError(
        4000194,
        "ItemCannotBeSpecifiedMultipleTimes",
        "The same SKU can't be repeated in this request.",
        meaning: "Name each SKU once."
    )
    /// Use the price that was announced to the customer.
    public static let invalidPriceForChangeItemInPriceIncrease = AppStoreServerAPIError(
        4000214,
        "InvalidPriceForChangeItemInPriceIncrease",
        "Price provided for a changed item with an offer while subject to a price increase was invalid.",
        meaning: "Use the price that was announced to the customer."
    )
    /// Raised for: Change Subscription Price, Change Subscription Metadata.
    public static let invalidSKUProvidedMustBeCurrentSKUSetToRenew = AppStoreServerAPIError(
        4000220,
        "InvalidSKUProvidedMustBeCurrentSKUSetToRenew",
        "SKU values provided in request must be a SKU that will renew.",
        meaning: "Name SKUs of the next renewal."
    )
    /// Raised for: Change Subscription Price.
    public static let acaPriceIncreaseIsNotCurrentlySupportedInIndia = AppStoreServerAPIError(
        4000221,
        "ACAPriceIncreaseIsNotCurrentlySupportedInIndia",
        "Price increases aren't supported in India at this time.",
        meaning: "Leave the price as it is in India."
    )
    /// Leave the prorated price out.
    public static let invalidProratedPriceForChangeItemWithEffectiveLater = AppStoreServerAPIError(
        4000222,
        "InvalidProratedPriceForChangeItemWithEffectiveLater",
        "Prorated price should not be present for change items with type effective later.",
        meaning: "Leave the prorated price out."
    )
    /// Give a free trial one period.
    public static let freeTrialOfferMustUsePeriodCountOfOne = AppStoreServerAPIError(
        4000223,
        "FreeTrialOfferMustUsePeriodCountOfOne",
        "The subscription offer configuration is invalid. Free trial offers must use a period count of 1.",
        meaning: "Give a free trial one period."
    )

    static let advancedCommerceErrors: [AppStoreServerAPIError] = [
        .repeatedRequestReferenceId, .subscriptionAlreadyMigrated, .pendingRefund,
        .priceChangeCannotBeIssuedWhenAlreadyCommunicated, .unauthorized, .subscriptionDoesNotExist,
        .subscriptionAlreadyExists, .subscriptionNotEligible, .subscriptionAlreadyActive, .productNotOwned,
        .inactiveACASub, .insufficientFunds, .alreadyRefunded, .storefrontChange, .productNotEligible,
        .transactionNotRefundable, .transactionCannotBeRefundedContactSupport,
        .migrationNotAllowedWhenPriceIncreaseCommunicated, .productNotFound, .invalidCurrency, .oneItemNeededInModify,
        .nullRequestInfo, .nullRequestReferenceID, .invalidRequestReferenceID, .invalidConsistencyToken, .nullVersion,
        .unexpectedVersion, .nullTransactionId, .negativePrice, .skuLengthExceeded, .descriptionLengthExceeded,
        .displayNameLengthExceeded, .negativeProratedPrice, .nullOfferPeriod, .nullPeriodCount, .periodCountNotPositive,
        .nullReason, .invalidPreviousTransactionID, .nullCurrency, .nullTaxCode, .nullStorefront, .nullItems, .nullItem,
        .nullDescriptors, .nullPeriod, .nullSKU, .nullDisplayName, .nullDescription, .nullPrice,
        .nullRetainBillingCycle, .nullEffective, .nullNewSKU, .invalidPreviousSubscription, .productAlreadyExists,
        .invalidProductChanges, .invalidSalable, .invalidSalableDuration, .invalidDisplayName, .invalidDescription,
        .invalidProduct, .invalidSKU, .invalidRefundType, .invalidRefundReason, .invalidChangeReason,
        .invalidOfferReason, .invalidTaxProductCode, .invalidOfferPeriod, .invalidOfferPeriodCount,
        .invalidRenewalPeriod, .invalidRenewalPrice, .invalidAmount, .nullRefundReason, .nullRefundType,
        .nullRefundRisking, .nullTargetProductID, .nullCurrentSKU, .nullAdvancedCommerceData, .mismatchedStorefront,
        .missingPricingConfigForStorefront, .operationNotAllowed, .moreItemsThanAllowed, .moreOffersThanAllowed,
        .emptyAddChangeItems, .missingUpdatedItemsWithPeriodChange, .periodResetWithRetainBillingCycle,
        .periodChangeEffectiveConflict, .multipleOperationsOnSingleSKU, .removeItemsWithoutAddOrChangeItems,
        .removeItemNotFound, .changeItemNotFound, .misalignedBillingCycle, .billingCycleResetWithEffectiveLater,
        .periodChangeImmediateWithEffectiveAtNextBillingCycle, .multiplePrices, .invalidProratedPrice,
        .invalidOfferPrice, .nullRefundAmount, .negativeRefundAmount, .refundAmountWithoutCustom,
        .simulateRefundDeclineOnlyInSandbox, .atLeastOneItem, .atLeastOneOfDisplayNameOrDescription,
        .invalidTargetProductID, .removalAllNotAllowed, .invalidOperation, .malformedPayload, .invalidSignature,
        .offerPreventsItemMidCycleChange, .priceChangeNotSupportedThroughModifyItems, .itemLimitExceeded,
        .pendingChangesMismatch, .proratedOnlyLatestTransaction, .partialSimulateRefundDecline,
        .revokeOnInactiveSubscription, .dependentSKUsCannotBeShared, .dependentSKUsCannotBeChained,
        .itemCannotBeSpecifiedMultipleTimes, .invalidPriceForChangeItemInPriceIncrease,
        .invalidSKUProvidedMustBeCurrentSKUSetToRenew, .acaPriceIncreaseIsNotCurrentlySupportedInIndia,
        .invalidProratedPriceForChangeItemWithEffectiveLater, .freeTrialOfferMustUsePeriodCountOfOne,
    ]

    /// The errors of absent fields, by the end of the path: `changeItems[].SKU`, else `SKU`.
    package static let advancedCommerceErrorsOfMissingFields: [String: AppStoreServerAPIError] = [
        "requestInfo": .nullRequestInfo,
        "requestReferenceId": .nullRequestReferenceID,
        "version": .nullVersion,
        "transactionId": .nullTransactionId,
        "offer.period": .nullOfferPeriod,
        "periodCount": .nullPeriodCount,
        "reason": .nullReason,
        "currency": .nullCurrency,
        "taxCode": .nullTaxCode,
        "storefront": .nullStorefront,
        "items": .nullItems,
        "item": .nullItem,
        "items[]": .nullItem,
        "addItems[]": .nullItem,
        "changeItems[]": .nullItem,
        "removeItems[]": .nullItem,
        "renewalItems[]": .nullItem,
        "descriptors": .nullDescriptors,
        "period": .nullPeriod,
        "SKU": .nullSKU,
        "displayName": .nullDisplayName,
        "description": .nullDescription,
        "price": .nullPrice,
        "retainBillingCycle": .nullRetainBillingCycle,
        "effective": .nullEffective,
        "changeItems[].SKU": .nullNewSKU,
        "refundReason": .nullRefundReason,
        "refundType": .nullRefundType,
        "refundRiskingPreference": .nullRefundRisking,
        "targetProductId": .nullTargetProductID,
        "currentSKU": .nullCurrentSKU,
        "advancedCommerceData": .nullAdvancedCommerceData,
        "operation": .invalidOperation,
    ]
}
