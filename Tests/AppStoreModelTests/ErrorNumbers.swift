/// Every error with a number, as on Apple's pages: the App Store Server API, Retention Messaging, Advanced Commerce. If
/// two share a number, the first name is used.
enum ErrorNumbers {
    static let table: [Int64: String] = {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        return stride(from: 0, to: words.count - 1, by: 2).reduce(into: [:]) { table, index in
            if let code = Int64(words[index]) { table[code] = words[index + 1] }
        }
    }()

    private static let text = """
        4000000 GeneralBadRequest 4000002 InvalidAppIdentifier 4000004 InvalidLimit 4000005 InvalidRequestRevision
        4000006 InvalidTransactionId 4000008 InvalidOriginalTransactionId 4000009 InvalidExtendByDays
        4000010 InvalidExtendReasonCode 4000011 InvalidRequestIdentifier 4000012 StartDateTooFarInPast
        4000013 StartDateAfterEndDate 4000014 InvalidPaginationToken 4000015 InvalidStartDate 4000016 InvalidEndDate
        4000017 PaginationTokenExpired 4000018 InvalidNotificationType 4000019 MultipleFiltersSupplied
        4000020 InvalidTestNotificationToken 4000021 InvalidSort 4000022 InvalidProductType 4000023 InvalidProductId
        4000024 InvalidSubscriptionGroupIdentifier 4000025 InvalidExcludeRevoked 4000026 InvalidInAppOwnershipType
        4000027 InvalidEmptyStorefrontCountryCodeList 4000028 InvalidStorefrontCountryCode 4000030 InvalidRevoked
        4000031 InvalidStatus 4000032 InvalidAccountTenure 4000033 InvalidAppAccountToken
        4000034 InvalidConsumptionStatus 4000035 InvalidCustomerConsented 4000036 InvalidDeliveryStatus
        4000037 InvalidLifetimeDollarsPurchased 4000038 InvalidLifetimeDollarsRefunded 4000039 InvalidPlatform
        4000040 InvalidPlayTime 4000041 InvalidSampleContentProvided 4000042 InvalidUserStatus
        4000043 InvalidTransactionNotConsumable 4000044 InvalidRefundPreference
        4000047 InvalidTransactionTypeNotSupported 4000048 AppTransactionIdNotSupported 4000053 InvalidCurrency
        4000063 OneItemNeededInModify 4000079 NullRequestInfo 4000080 NullRequestReferenceID
        4000081 InvalidRequestReferenceID 4000082 InvalidConsistencyToken 4000083 NullVersion
        4000084 UnexpectedVersion 4000085 NullTransactionId 4000086 NegativePrice 4000087 SKULengthExceeded
        4000088 DescriptionLengthExceeded 4000089 DisplayNameLengthExceeded 4000091 NegativeProratedPrice
        4000092 NullOfferPeriod 4000093 NullPeriodCount 4000094 PeriodCountNotPositive 4000095 NullReason
        4000096 InvalidPreviousTransactionID 4000097 RepeatedRequestReferenceId 4000098 NullCurrency
        4000099 NullTaxCode 4000100 NullStorefront 4000101 NullItems 4000102 NullItem 4000103 NullDescriptors
        4000104 NullPeriod 4000105 NullSKU 4000106 NullDisplayName 4000107 NullDescription 4000109 NullPrice
        4000110 NullRetainBillingCycle 4000111 NullEffective 4000112 NullNewSKU 4000113 InvalidPreviousSubscription
        4000114 ProductAlreadyExists 4000115 InvalidProductChanges 4000116 InvalidSalable
        4000117 InvalidSalableDuration 4000118 InvalidDisplayName 4000119 InvalidDescription 4000121 InvalidProduct
        4000122 InvalidSKU 4000123 InvalidRefundType 4000124 InvalidRefundReason 4000125 InvalidChangeReason
        4000126 InvalidOfferReason 4000127 InvalidTaxProductCode 4000128 InvalidOfferPeriod
        4000129 InvalidOfferPeriodCount 4000130 InvalidRenewalPeriod 4000131 InvalidRenewalPrice
        4000132 InvalidAmount 4000133 MismatchedStorefront 4000134 MissingPricingConfigForStorefront
        4000135 OperationNotAllowed 4000136 MoreItemsThanAllowed 4000137 MoreOffersThanAllowed
        4000139 EmptyAddChangeItems 4000140 MissingUpdatedItemsWithPeriodChange
        4000141 PeriodResetWithRetainBillingCycle 4000142 PeriodChangeEffectiveConflict
        4000143 MultipleOperationsOnSingleSKU 4000144 RemoveItemsWithoutAddOrChangeItems 4000145 RemoveItemNotFound
        4000146 ChangeItemNotFound 4000147 MisalignedBillingCycle 4000148 BillingCycleResetWithEffectiveLater
        4000149 PeriodChangeImmediateWithEffectiveAtNextBillingCycle 4000150 MultiplePrices
        4000151 InvalidProratedPrice 4000152 InvalidOfferPrice 4000153 NullRefundAmount 4000154 NegativeRefundAmount
        4000155 RefundAmountWithoutCustom 4000156 NullRefundReason 4000157 NullRefundType
        4000158 SimulateRefundDeclineOnlyInSandbox 4000159 NullRefundRisking 4000160 AtLeastOneItem
        4000161 InvalidImage 4000162 HeaderTooLong 4000163 BodyTooLong 4000164 InvalidLocale
        4000165 AtLeastOneOfDisplayNameOrDescription 4000166 NullTargetProductID 4000167 InvalidTargetProductID
        4000168 RemovalAllNotAllowed 4000169 NullCurrentSKU 4000171 NullAdvancedCommerceData 4000172 InvalidOperation
        4000173 MalformedPayload 4000174 InvalidSignature 4000175 AltTextTooLong 4000176 SubscriptionAlreadyMigrated
        4000177 OfferPreventsItemMidCycleChange 4000178 PriceChangeNotSupportedThroughModifyItems
        4000179 ItemLimitExceeded 4000180 PendingChangesMismatch 4000181 PendingRefund
        4000182 ProratedOnlyLatestTransaction 4000183 InvalidAppAccountTokenUUID 4000184 PartialSimulateRefundDecline
        4000185 FamilyTransactionNotSupported 4000186 RevokeOnInactiveSubscription
        4000187 TransactionIdIsNotOriginalTransactionId 4000192 DependentSKUsCannotBeShared
        4000193 DependentSKUsCannotBeChained 4000194 ItemCannotBeSpecifiedMultipleTimes
        4000205 PriceChangeCannotBeIssuedWhenAlreadyCommunicated
        4000209 ConsumptionPercentageAutoRenewableSubscription 4000211 InvalidPerformanceTestRequest
        4000212 InvalidRequestId 4000213 ExistingPerformanceTestRun 4000214 InvalidPriceForChangeItemInPriceIncrease
        4000215 BadRequestRealtimeUrl 4000216 BadRequestImageSize 4000218 BadRequestTooManyBulletPoints
        4000219 BadRequestBulletPointTextTooLong 4000220 InvalidSKUProvidedMustBeCurrentSKUSetToRenew
        4000221 ACAPriceIncreaseIsNotCurrentlySupportedInIndia
        4000222 InvalidProratedPriceForChangeItemWithEffectiveLater 4000223 FreeTrialOfferMustUsePeriodCountOfOne
        4000224 BadRequestAboveImageRequiresAnImage 4000225 InvalidGroupId
        4000227 InvalidAssignedTransactionNotSupported 4010000 Unauthorized 4030004 SubscriptionExtensionIneligible
        4030005 SubscriptionMaxExtension 4030007 FamilySharedSubscriptionExtensionIneligible
        4030008 SubscriptionDoesNotExist 4030009 SubscriptionAlreadyExists 4030010 SubscriptionNotEligible
        4030011 SubscriptionAlreadyActive 4030013 ProductNotOwned 4030014 MaximumNumberOfImagesReached
        4030015 InactiveACASub 4030016 MaximumNumberOfMessagesReached 4030017 MessageNotApproved
        4030018 ImageNotApproved 4030019 ImageInUse 4030020 InsufficientFunds 4030021 AlreadyRefunded
        4030022 StorefrontChange 4030023 ProductNotEligible 4030024 TransactionNotRefundable
        4030025 TransactionCannotBeRefundedContactSupport 4030026 ForbiddenNoPassingTest
        4030027 MigrationNotAllowedWhenPriceIncreaseCommunicated 4030028 AssignedSubscriptionExtensionIneligible
        4040001 AccountNotFound 4040002 AccountNotFoundRetryable 4040003 AppNotFound 4040004 AppNotFoundRetryable
        4040005 OriginalTransactionIdNotFound 4040006 OriginalTransactionIdNotFoundRetryable
        4040007 ServerNotificationURLNotFound 4040008 TestNotificationNotFound 4040009 StatusRequestNotFound
        4040010 TransactionIdNotFound 4040014 ImageNotFound 4040015 MessageNotFound 4040016 ProductNotFound
        4040018 PerformanceTestRunNotFound 4040019 AppTransactionDoesNotExist 4040020 DefaultMessageNotFound
        4040021 RealtimeUrlNotFound 4040022 GroupNotFound 4090000 ImageAlreadyExists 4090001 MessageAlreadyExists
        4290000 RateLimitExceeded 5000000 GeneralInternal 5000001 GeneralInternalRetryable
        """
}
