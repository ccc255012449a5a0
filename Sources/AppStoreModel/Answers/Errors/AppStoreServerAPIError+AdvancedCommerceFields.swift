// The numbers and messages of these errors come from other users of the API; the names are Apple's.
extension AppStoreServerAPIError {
    /// Invalid Advanced Commerce requests.
    ///
    /// Programs do not handle these individually: they help people to find the error in a request. They are in ``all``
    /// only.
    static let malformedAdvancedCommerceRequests = malformedAdvancedCommerceFields + malformedAdvancedCommerceChanges

    private static func missing(_ code: Int64, _ name: String, field: String) -> AppStoreServerAPIError {
        AppStoreServerAPIError(
            code,
            name,
            "The required field, \(field), is missing.",
            meaning: "Add `\(field)`."
        )
    }

    private static let malformedAdvancedCommerceFields: [AppStoreServerAPIError] = [
        .init(
            4000053,
            "InvalidCurrency",
            "The currency value is invalid.",
            meaning: "Use an ISO 4217 code that the storefront has."
        ),
        .init(
            4000063,
            "OneItemNeededInModify",
            "At least one type of change must be provided in a modify subscription request.",
            meaning: "Specify what to change."
        ),
        .missing(4000079, "NullRequestInfo", field: "requestInfo"),
        .missing(4000080, "NullRequestReferenceID", field: "requestReferenceId"),
        .init(4000081, "InvalidRequestReferenceID", "The requestReferenceId value is invalid.", meaning: "Use a UUID."),
        .init(
            4000082,
            "InvalidConsistencyToken",
            "The consistencyToken value is invalid.",
            meaning: "Use the token of the newest signed data, or none."
        ),
        .missing(4000083, "NullVersion", field: "version"),
        .init(
            4000084,
            "UnexpectedVersion",
            "The value of version is invalid.",
            meaning: "Use the version that Apple documents."
        ),
        .missing(4000085, "NullTransactionId", field: "transactionId"),
        .init(
            4000086,
            "NegativePrice",
            "The price field must contain a positive number.",
            meaning: "A price is in thousandths of the currency's unit, and not negative."
        ),
        .init(
            4000087,
            "SKULengthExceeded",
            "Exceeds the maximum length of the SKU field.",
            meaning: "A SKU has at most 128 characters."
        ),
        .init(
            4000088,
            "DescriptionLengthExceeded",
            "Exceeds the maximum length of the description field.",
            meaning: "A description has at most 45 characters."
        ),
        .init(
            4000089,
            "DisplayNameLengthExceeded",
            "Exceeds the maximum length of the displayName field.",
            meaning: "A display name has at most 30 characters."
        ),
        .init(
            4000091,
            "NegativeProratedPrice",
            "The prorated price is negative.",
            meaning: "A prorated price is in thousandths of the currency's unit, and not negative."
        ),
        .missing(4000092, "NullOfferPeriod", field: "offer period"),
        .missing(4000093, "NullPeriodCount", field: "periodCount"),
        .init(
            4000094,
            "PeriodCountNotPositive",
            "Period count must be a positive number.",
            meaning: "Count periods from 1."
        ),
        .missing(4000095, "NullReason", field: "reason"),
        .init(
            4000096,
            "InvalidPreviousTransactionID",
            "Previous original transaction id is invalid.",
            meaning: "Use the original transaction id of the customer's earlier subscription."
        ),
        .missing(4000098, "NullCurrency", field: "currency"),
        .missing(4000099, "NullTaxCode", field: "taxCode"),
        .missing(4000100, "NullStorefront", field: "storefront"),
        .missing(4000101, "NullItems", field: "items"),
        .missing(4000102, "NullItem", field: "item"),
        .missing(4000103, "NullDescriptors", field: "descriptors"),
        .missing(4000104, "NullPeriod", field: "period"),
        .missing(4000105, "NullSKU", field: "SKU"),
        .missing(4000106, "NullDisplayName", field: "displayName"),
        .missing(4000107, "NullDescription", field: "description"),
        .missing(4000109, "NullPrice", field: "price"),
        .missing(4000110, "NullRetainBillingCycle", field: "retainBillingCycle"),
        .missing(4000111, "NullEffective", field: "effective"),
        .missing(4000112, "NullNewSKU", field: "SKU in changeItems"),
        .init(
            4000113,
            "InvalidPreviousSubscription",
            "The previous subscription targeted is invalid.",
            meaning: "Use a former subscription of the customer."
        ),
        .init(
            4000114,
            "ProductAlreadyExists",
            "Provided SKU is already owned.",
            meaning: "Leave out the SKU that the customer has."
        ),
        .init(
            4000115,
            "InvalidProductChanges",
            "Product changes are invalid.",
            meaning: "Change only what the subscription has."
        ),
        .init(
            4000116,
            "InvalidSalable",
            "The targeted salable isn't configured as a generic salable.",
            meaning: "Use a generic product from App Store Connect."
        ),
        .init(
            4000117,
            "InvalidSalableDuration",
            "The salable duration is invalid.",
            meaning: "Use a generic product of the same period."
        ),
        .init(
            4000118,
            "InvalidDisplayName",
            "The displayName is invalid.",
            meaning: "A display name has 1 to 30 plain characters."
        ),
        .init(
            4000119,
            "InvalidDescription",
            "The description is invalid.",
            meaning: "A description has 1 to 45 plain characters."
        ),
        .init(
            4000121,
            "InvalidProduct",
            "The requested product to change doesn't exist.",
            meaning: "Name a product of the subscription."
        ),
        .init(
            4000122,
            "InvalidSKU",
            "The SKU was invalid.",
            meaning: "Name a SKU of the transaction, 1 to 128 characters."
        ),
        .init(
            4000123,
            "InvalidRefundType",
            "The refundType is invalid.",
            meaning: "The type is FULL, PRORATED or CUSTOM."
        ),
        .init(
            4000124,
            "InvalidRefundReason",
            "The refundReason is invalid.",
            meaning: "Use a reason that Apple documents."
        ),
        .init(
            4000125,
            "InvalidChangeReason",
            "The change reason is invalid.",
            meaning: "Use a reason that Apple documents."
        ),
        .init(
            4000126,
            "InvalidOfferReason",
            "The offer reason is invalid.",
            meaning: "The reason is ACQUISITION, WIN_BACK or RETENTION."
        ),
        .init(
            4000127,
            "InvalidTaxProductCode",
            "The taxCode is invalid.",
            meaning: "Use a tax code that Apple documents."
        ),
        .init(
            4000128,
            "InvalidOfferPeriod",
            "The offer period is invalid.",
            meaning: "Use a period that Apple documents, such as P1M."
        ),
        .init(
            4000129,
            "InvalidOfferPeriodCount",
            "The offer periodCount is invalid.",
            meaning: "An offer has 1 to 12 periods."
        ),
        .init(
            4000130,
            "InvalidRenewalPeriod",
            "The renewal period is invalid.",
            meaning: "Use a period that Apple documents, such as P1M."
        ),
        .init(
            4000131,
            "InvalidRenewalPrice",
            "The renewal price is invalid.",
            meaning: "Use a price that the product's range allows."
        ),
        .init(
            4000132,
            "InvalidAmount",
            "The amount is invalid.",
            meaning: "An amount is in thousandths of the currency's unit, and at most what was paid."
        ),
        .missing(4000156, "NullRefundReason", field: "refundReason"),
        .missing(4000157, "NullRefundType", field: "refundType"),
        .missing(4000159, "NullRefundRisking", field: "refundRiskingPreference"),
        .missing(4000166, "NullTargetProductID", field: "targetProductID"),
        .missing(4000169, "NullCurrentSKU", field: "currentSKU"),
        .missing(4000171, "NullAdvancedCommerceData", field: "advancedCommerceData"),
    ]
}
