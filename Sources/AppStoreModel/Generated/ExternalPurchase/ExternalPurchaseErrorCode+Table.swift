// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension ExternalPurchaseErrorCode {
    static let table: [Int64: Entry] = [
        1: Entry(
            name: "DuplicateValue",
            message: "The field's value is already submitted and a duplicate value is not expected.",
            meaning: "Use a new identifier, or mark the line item as a restatement."
        ),
        2: Entry(
            name: "ReportingCurrencyMismatch",
            message: "The refund's referenced buy line item has a different reporting currency.",
            meaning: "Report the refund in the currency of the purchase."
        ),
        3: Entry(
            name: "NotFound",
            message: "The referenced value was not found.",
            meaning: "Check the identifier: Apple has no such report, token or line item."
        ),
        4: Entry(name: "OmittedField", message: "A required field is missing.", meaning: "Add the field."),
        5: Entry(
            name: "FieldNotAllowed",
            message: "The provided field is not allowed.",
            meaning: "Leave the field out: this kind of line item does not have it."
        ),
        6: Entry(
            name: "FutureDate",
            message: "The provided date field is in the future and future values are not allowed.",
            meaning: "Use a date that is past, in milliseconds since 1970."
        ),
        7: Entry(
            name: "UnknownEnum",
            message: "The provided value is unknown for an enumeration.",
            meaning: "Use a currency or country that Apple supports."
        ),
        8: Entry(
            name: "LineItemStatusRegression",
            message: "Cannot mark status as NO_LINE_ITEM or UNRECOGNIZED_TOKEN after previously reporting as LINE_ITEM.",
            meaning: "Revoke line items by restating them as erroneously submitted."
        ),
        9: Entry(
            name: "MissingLineItemsForStatus",
            message: "The external purchase ID has the status LINE_ITEM but is missing line items.",
            meaning: "Add the line items, or use another status."
        ),
        10: Entry(
            name: "LineItemsNotAllowedForStatus",
            message: "A line item was provided for an external purchase ID that has a NO_LINE_ITEM or UNRECOGNIZED_TOKEN status.",
            meaning: "Leave the line items out, or use LINE_ITEM."
        ),
        11: Entry(
            name: "IncorrectAmountTaxInclusive",
            message: "The tax exclusive amount plus the tax amount does not equal the tax inclusive amount.",
            meaning: "Make the amounts add up."
        ),
        12: Entry(
            name: "IncorrectNetAmount",
            message: "The net amount value does not match the expected value.",
            meaning: "Include every purchase, refund and correction up to this line item."
        ),
        13: Entry(
            name: "SelfReference",
            message: "The line item may not reference itself.",
            meaning: "Refer to another line item."
        ),
        14: Entry(
            name: "ReferenceInvalidSubscriptionEvent",
            message: "The referenced line item has no subscription event or its subscription event is not SUBSCRIPTION_START.",
            meaning: "Refer to the line item that began the subscription."
        ),
        15: Entry(
            name: "NegativeValueNotAllowed",
            message: "This field doesn't allow a negative value.",
            meaning: "Use zero or more; a refund has positive amounts, too."
        ),
        16: Entry(
            name: "PositiveValueRequired",
            message: "This field requires a positive value.",
            meaning: "Use more than zero."
        ),
        17: Entry(
            name: "StartDateAfterEndDate",
            message: "The start date is after the end date.",
            meaning: "Let the period end after it begins."
        ),
        18: Entry(
            name: "ReportingCurrencyExchangeNotAllowed",
            message: "The reporting currency, which reports a currency exchange, isn't allowed.",
            meaning: "Report in the currency of the purchase: Apple supports it."
        ),
        19: Entry(
            name: "MaximumLengthExceeded",
            message: "The field's maximum length is exceeded.",
            meaning: "Shorten the field."
        ),
        20: Entry(
            name: "ErroneouslySubmittedNotRestatement",
            message: "Expecting restatement for an erroneously submitted line item, but line item is not a restatement.",
            meaning: "Set `restatement`, too."
        ),
        21: Entry(
            name: "ReferenceLineItemNotABuy",
            message: "The referenced line item is not a buy.",
            meaning: "Refer to a purchase."
        ),
        22: Entry(
            name: "ErroneousLineItemReferencedByValidLineItem",
            message: "The line item has status erroneously submitted but is referenced by a non-erroneously submitted line item.",
            meaning: "Revoke the line items that refer to it first."
        ),
        23: Entry(
            name: "TaxCountryMismatch",
            message: "The refund's referenced buy line item has a different tax country.",
            meaning: "Report the refund with the country of the purchase."
        ),
        24: Entry(
            name: "NetAmountMismatch",
            message: "Two line items involved in the same net amount calculation have different net amount values.",
            meaning: "Related line items of one report must have the same net amount."
        ),
        25: Entry(
            name: "ValidLineItemReferencesErroneousLineItem",
            message: "The line item references an erroneously submitted line item, but the line item itself is not erroneously submitted.",
            meaning: "Refer to a line item that was not revoked."
        ),
        26: Entry(
            name: "SimultaneousSubmission",
            message: "One or more simultaneous submissions of reports reference the same data.",
            meaning: "Send reports for the same token sequentially."
        ),
        27: Entry(
            name: "DateTooFarInPast",
            message: "The provided date is too far in the past. Date must be in milliseconds.",
            meaning: "Check that the date is in milliseconds since 1970, not in seconds."
        ),
        28: Entry(
            name: "RefundReferencedByRefund",
            message: "The line item has event type REFUND but is referenced by a different line item that also has event type REFUND.",
            meaning: "Refer to the purchase, not to its refund."
        ),
        29: Entry(
            name: "NonInitialBuyReferencedByBuy",
            message: "The line item does not have subscription event INITIAL_BUY but it is referenced by a subscription line item with event type BUY.",
            meaning: "Refer to the line item that began the subscription."
        ),
        30: Entry(
            name: "RepeatErroneousSubmission",
            message: "The line item has status erroneously submitted but its previous version was already marked erroneously submitted.",
            meaning: "Nothing is left to do: the line item is already revoked."
        ),
        31: Entry(
            name: "ReferencedCreationDateIncompatible",
            message: "The referenced line item has a creation date after the line item's creation date.",
            meaning: "A line item refers to an earlier one."
        ),
        32: Entry(
            name: "PricingCurrencyMismatch",
            message: "The refund's referenced buy line item has a different pricing currency.",
            meaning: "Report the refund in the currency of the purchase."
        ),
        33: Entry(
            name: "ExchangeRateMismatch",
            message: "The refund's referenced buy line item has a different exchange rate.",
            meaning: "Report the refund with the rate of the purchase."
        ),
        34: Entry(
            name: "SubscriptionStartNonZeroDaysPaidService",
            message: "The subscriptionDaysOfPaidService field must be zero for a line item with subscription event SUBSCRIPTION_START.",
            meaning: "A subscription that begins has no days of paid service yet."
        ),
        35: Entry(
            name: "InvalidTaxInclusiveAmountForSubscriptionPayment",
            message: "The tax inclusive amount must be positive for line items with subscription event SUBSCRIPTION_PAYMENT.",
            meaning: "A payment is more than zero."
        ),
        36: Entry(
            name: "LineItemCreationDateOutOfRange",
            message: "The line item's creation date is outside the active range of the token.",
            meaning: "Report the purchase under the token that was active then."
        ),
        37: Entry(
            name: "DuplicateTokenStatusNotAllowed",
            message: "The duplicate token status is not allowed for the associated token type.",
            meaning: "Use another status for this kind of token."
        ),
        38: Entry(
            name: "RestatementCreationDateMismatch",
            message: "The restatement has another creation date than the line item.",
            meaning: "Keep the creation date of the line item."
        ),
        39: Entry(
            name: "RestatementNotAllowedCreationDate",
            message: "The restatement failed because the creation date is too far in the past.",
            meaning: "Corrections are accepted for a limited time only."
        ),
        40: Entry(
            name: "RefundNotAllowedCreationDate",
            message: "The refund failed because the creation date is too far in the past.",
            meaning: "Refunds are accepted for a limited time only."
        ),
    ]
}
