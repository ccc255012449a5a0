import AppStoreModel

/// The reasons for which Advanced Commerce refuses a request, beside those that the model defines.
///
/// - Source: Advanced Commerce API, Error codes; the numbers are known from others who use the API.
enum AdvancedCommerceFault: Int64 {
    case invalidStorefront = 4_000_028
    case invalidAppAccountToken = 4_000_033
    case invalidCurrency = 4_000_053
    case oneItemNeededInModify = 4_000_063
    case nullRequestInfo = 4_000_079
    case nullRequestReferenceId = 4_000_080
    case invalidRequestReferenceId = 4_000_081
    case invalidConsistencyToken = 4_000_082
    case nullVersion = 4_000_083
    case unexpectedVersion = 4_000_084
    case nullTransactionId = 4_000_085
    case negativePrice = 4_000_086
    case skuLengthExceeded = 4_000_087
    case descriptionLengthExceeded = 4_000_088
    case displayNameLengthExceeded = 4_000_089
    case negativeProratedPrice = 4_000_091
    case nullOfferPeriod = 4_000_092
    case nullPeriodCount = 4_000_093
    case periodCountNotPositive = 4_000_094
    case nullReason = 4_000_095
    case invalidPreviousTransactionId = 4_000_096
    case nullCurrency = 4_000_098
    case nullTaxCode = 4_000_099
    case nullItems = 4_000_101
    case nullItem = 4_000_102
    case nullDescriptors = 4_000_103
    case nullPeriod = 4_000_104
    case nullSKU = 4_000_105
    case nullDisplayName = 4_000_106
    case nullDescription = 4_000_107
    case nullPrice = 4_000_109
    case nullRetainBillingCycle = 4_000_110
    case nullEffective = 4_000_111
    case nullNewSKU = 4_000_112
    case invalidPreviousSubscription = 4_000_113
    case productAlreadyExists = 4_000_114
    case invalidProductChanges = 4_000_115
    case invalidDisplayName = 4_000_118
    case invalidDescription = 4_000_119
    case invalidSKU = 4_000_122
    case invalidRefundType = 4_000_123
    case invalidRefundReason = 4_000_124
    case invalidChangeReason = 4_000_125
    case invalidOfferReason = 4_000_126
    case invalidTaxProductCode = 4_000_127
    case invalidOfferPeriod = 4_000_128
    case invalidOfferPeriodCount = 4_000_129
    case invalidRenewalPeriod = 4_000_130
    case invalidAmount = 4_000_132
    case mismatchedStorefront = 4_000_133
    case emptyAddChangeItems = 4_000_139
    case missingUpdatedItemsWithPeriodChange = 4_000_140
    case periodResetWithRetainBillingCycle = 4_000_141
    case periodChangeEffectiveConflict = 4_000_142
    case multipleOperationsOnSingleSKU = 4_000_143
    case removeItemsWithoutAddOrChangeItems = 4_000_144
    case removeItemNotFound = 4_000_145
    case changeItemNotFound = 4_000_146
    case misalignedBillingCycle = 4_000_147
    case billingCycleResetWithEffectiveLater = 4_000_148
    case periodChangeImmediateWithEffectiveAtNextBillingCycle = 4_000_149
    case multiplePrices = 4_000_150
    case invalidProratedPrice = 4_000_151
    case invalidOfferPrice = 4_000_152
    case nullRefundAmount = 4_000_153
    case negativeRefundAmount = 4_000_154
    case refundAmountWithoutCustom = 4_000_155
    case nullRefundReason = 4_000_156
    case nullRefundType = 4_000_157
    case simulateRefundDeclineOnlyInSandbox = 4_000_158
    case nullRefundRisking = 4_000_159
    case atLeastOneItem = 4_000_160
    case atLeastOneOfDisplayNameOrDescription = 4_000_165
    case nullTargetProductId = 4_000_166
    case invalidTargetProductId = 4_000_167
    case nullCurrentSKU = 4_000_169
    case invalidOperation = 4_000_172
    case malformedPayload = 4_000_173
    case offerPreventsItemMidCycleChange = 4_000_177
    case priceChangeNotSupportedThroughModifyItems = 4_000_178
    case pendingChangesMismatch = 4_000_180
    case proratedOnlyLatestTransaction = 4_000_182
    case partialSimulateRefundDecline = 4_000_184
    case revokeOnInactiveSubscription = 4_000_186
    case dependentSKUsCannotBeShared = 4_000_192
    case dependentSKUsCannotBeChained = 4_000_193
    case itemCannotBeSpecifiedMultipleTimes = 4_000_194
    case invalidPriceForChangeItemInPriceIncrease = 4_000_214
    case invalidSKUProvidedMustBeCurrentSKUSetToRenew = 4_000_220
    case priceIncreaseNotSupportedInIndia = 4_000_221
    case invalidProratedPriceForChangeItemWithEffectiveLater = 4_000_222
    case freeTrialOfferMustUsePeriodCountOfOne = 4_000_223
}

extension AppStoreServerAPIError {
    /// The error of a fault, with Apple's name.
    static func fault(_ fault: AdvancedCommerceFault) -> AppStoreServerAPIError {
        AppStoreServerAPIError(code: fault.rawValue)
    }
}
