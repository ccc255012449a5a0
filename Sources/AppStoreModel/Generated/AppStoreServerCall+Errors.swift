// Generated from Schema/*.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension AppStoreServerCall {
    /// The errors that Apple documents for the call, without those of any call, ``AppStoreServerAPIError/general``.
    ///
    /// Apple has no such list for the calls of Advanced Commerce: their errors here follow from the fields of the
    /// requests and the meanings of the errors. Errors in external purchase reports have a type of their own,
    /// ``ExternalPurchaseErrorCode``.
    ///
    /// - Source: The page of each call, Response codes.
    public var errors: [AppStoreServerAPIError] {
        switch identifier {
        case .cancelSubscription: [
            .invalidTransactionId, .invalidStorefrontCountryCode, .invalidAppAccountToken,
            .appTransactionIdNotSupported, .nullRequestInfo, .nullRequestReferenceID, .invalidRequestReferenceID,
            .invalidConsistencyToken, .repeatedRequestReferenceId, .mismatchedStorefront, .malformedPayload,
            .unauthorized, .subscriptionDoesNotExist, .subscriptionNotEligible, .productNotOwned, .inactiveACASub,
            .productNotEligible, .transactionIdNotFound, .productNotFound,
        ]
        case .revokeSubscription: [
            .invalidTransactionId, .invalidStorefrontCountryCode, .invalidAppAccountToken,
            .appTransactionIdNotSupported, .nullRequestInfo, .nullRequestReferenceID, .invalidRequestReferenceID,
            .invalidConsistencyToken, .repeatedRequestReferenceId, .invalidRefundType, .invalidRefundReason,
            .mismatchedStorefront, .nullRefundReason, .nullRefundType, .simulateRefundDeclineOnlyInSandbox,
            .nullRefundRisking, .malformedPayload, .pendingRefund, .revokeOnInactiveSubscription, .unauthorized,
            .subscriptionDoesNotExist, .subscriptionNotEligible, .productNotOwned, .inactiveACASub, .productNotEligible,
            .transactionIdNotFound, .productNotFound,
        ]
        case .changeSubscriptionPrice: [
            .invalidTransactionId, .invalidStorefrontCountryCode, .invalidAppAccountToken,
            .appTransactionIdNotSupported, .invalidCurrency, .nullRequestInfo, .nullRequestReferenceID,
            .invalidRequestReferenceID, .invalidConsistencyToken, .negativePrice, .skuLengthExceeded,
            .repeatedRequestReferenceId, .nullItems, .nullItem, .nullSKU, .nullPrice, .invalidSKU,
            .mismatchedStorefront, .atLeastOneItem, .malformedPayload, .dependentSKUsCannotBeShared,
            .dependentSKUsCannotBeChained, .itemCannotBeSpecifiedMultipleTimes,
            .priceChangeCannotBeIssuedWhenAlreadyCommunicated, .invalidSKUProvidedMustBeCurrentSKUSetToRenew,
            .acaPriceIncreaseIsNotCurrentlySupportedInIndia, .unauthorized, .subscriptionDoesNotExist,
            .subscriptionNotEligible, .productNotOwned, .inactiveACASub, .storefrontChange, .productNotEligible,
            .transactionIdNotFound, .productNotFound,
        ]
        case .changeSubscriptionMetadata: [
            .invalidTransactionId, .invalidStorefrontCountryCode, .invalidAppAccountToken,
            .appTransactionIdNotSupported, .nullRequestInfo, .nullRequestReferenceID, .invalidRequestReferenceID,
            .invalidConsistencyToken, .skuLengthExceeded, .descriptionLengthExceeded, .displayNameLengthExceeded,
            .repeatedRequestReferenceId, .nullItem, .nullEffective, .productAlreadyExists, .invalidProductChanges,
            .invalidDisplayName, .invalidDescription, .invalidSKU, .invalidTaxProductCode, .mismatchedStorefront,
            .atLeastOneItem, .atLeastOneOfDisplayNameOrDescription, .nullCurrentSKU, .malformedPayload,
            .itemCannotBeSpecifiedMultipleTimes, .invalidSKUProvidedMustBeCurrentSKUSetToRenew, .unauthorized,
            .subscriptionDoesNotExist, .subscriptionNotEligible, .productNotOwned, .inactiveACASub, .storefrontChange,
            .productNotEligible, .transactionIdNotFound, .productNotFound,
        ]
        case .migrateSubscription: [
            .invalidTransactionId, .invalidStorefrontCountryCode, .invalidAppAccountToken,
            .appTransactionIdNotSupported, .nullRequestInfo, .nullRequestReferenceID, .invalidRequestReferenceID,
            .skuLengthExceeded, .descriptionLengthExceeded, .displayNameLengthExceeded, .repeatedRequestReferenceId,
            .nullTaxCode, .nullItems, .nullItem, .nullDescriptors, .nullSKU, .nullDisplayName, .nullDescription,
            .invalidDisplayName, .invalidDescription, .invalidSKU, .invalidTaxProductCode, .mismatchedStorefront,
            .atLeastOneItem, .nullTargetProductID, .invalidTargetProductID, .malformedPayload,
            .subscriptionAlreadyMigrated, .pendingChangesMismatch, .itemCannotBeSpecifiedMultipleTimes, .unauthorized,
            .subscriptionDoesNotExist, .subscriptionAlreadyExists, .subscriptionNotEligible, .productNotOwned,
            .storefrontChange, .productNotEligible, .migrationNotAllowedWhenPriceIncreaseCommunicated,
            .transactionIdNotFound, .productNotFound,
        ]
        case .requestTransactionRefund: [
            .invalidTransactionId, .invalidStorefrontCountryCode, .invalidAppAccountToken,
            .appTransactionIdNotSupported, .invalidCurrency, .nullRequestInfo, .nullRequestReferenceID,
            .invalidRequestReferenceID, .skuLengthExceeded, .repeatedRequestReferenceId, .nullItems, .nullItem,
            .nullSKU, .invalidSKU, .invalidRefundType, .invalidRefundReason, .invalidAmount, .mismatchedStorefront,
            .nullRefundAmount, .negativeRefundAmount, .refundAmountWithoutCustom, .nullRefundReason, .nullRefundType,
            .simulateRefundDeclineOnlyInSandbox, .nullRefundRisking, .atLeastOneItem, .malformedPayload, .pendingRefund,
            .proratedOnlyLatestTransaction, .partialSimulateRefundDecline, .itemCannotBeSpecifiedMultipleTimes,
            .unauthorized, .subscriptionDoesNotExist, .productNotOwned, .insufficientFunds, .alreadyRefunded,
            .productNotEligible, .transactionNotRefundable, .transactionCannotBeRefundedContactSupport,
            .transactionIdNotFound, .productNotFound,
        ]
        case .sendExternalPurchaseReport: []
        case .retrieveExternalPurchaseReport: []
        case .getNotificationHistory: [
            .invalidTransactionId, .startDateTooFarInPast, .startDateAfterEndDate, .invalidPaginationToken,
            .invalidStartDate, .invalidEndDate, .paginationTokenExpired, .invalidNotificationType,
            .multipleFiltersSupplied, .accountNotFound, .transactionIdNotFound,
        ]
        case .requestTestNotification: [.serverNotificationURLNotFound]
        case .getTestNotificationStatus: [.invalidTestNotificationToken, .testNotificationNotFound]
        case .getTransactionHistory: [
            .invalidAppIdentifier, .invalidRequestRevision, .invalidTransactionId, .invalidStartDate, .invalidEndDate,
            .invalidSort, .invalidProductType, .invalidProductId, .invalidSubscriptionGroupIdentifier,
            .invalidExcludeRevoked, .invalidInAppOwnershipType, .invalidRevoked, .accountNotFound,
            .accountNotFoundRetryable, .appNotFound, .appNotFoundRetryable, .transactionIdNotFound,
        ]
        case .getTransactionHistoryV1: [
            .invalidAppIdentifier, .invalidRequestRevision, .invalidTransactionId, .invalidStartDate, .invalidEndDate,
            .invalidSort, .invalidProductType, .invalidProductId, .invalidSubscriptionGroupIdentifier,
            .invalidExcludeRevoked, .invalidInAppOwnershipType, .invalidRevoked, .accountNotFound,
            .accountNotFoundRetryable, .appNotFound, .appNotFoundRetryable, .transactionIdNotFound,
        ]
        case .getTransactionInfo: [.invalidTransactionId, .appTransactionIdNotSupported, .transactionIdNotFound]
        case .getAppTransactionInfo: [.invalidTransactionId, .transactionIdNotFound, .appTransactionDoesNotExist]
        case .getAllSubscriptionStatuses: [
            .invalidAppIdentifier, .invalidTransactionId, .invalidStatus, .accountNotFound, .accountNotFoundRetryable,
            .appNotFound, .appNotFoundRetryable, .transactionIdNotFound,
        ]
        case .getCustomerGroups: [.invalidTransactionId, .transactionIdNotFound]
        case .getGroupMembers: [.invalidLimit, .invalidPaginationToken, .invalidGroupId, .groupNotFound]
        case .setAppAccountToken: [
            .invalidTransactionId, .appTransactionIdNotSupported, .invalidAppAccountTokenUUID,
            .familyTransactionNotSupported, .transactionIdIsNotOriginalTransactionId,
            .invalidAssignedTransactionNotSupported, .originalTransactionIdNotFound,
            .originalTransactionIdNotFoundRetryable,
        ]
        case .finishTransaction: [.invalidTransactionId, .appTransactionIdNotSupported, .transactionIdNotFound]
        case .sendConsumptionInformation: [
            .invalidTransactionId, .invalidCustomerConsented, .invalidDeliveryStatus, .invalidSampleContentProvided,
            .invalidRefundPreference, .appTransactionIdNotSupported, .familyTransactionNotSupported,
            .consumptionPercentageAutoRenewableSubscription, .invalidAssignedTransactionNotSupported,
            .transactionIdNotFound,
        ]
        case .sendConsumptionInformationV1: [
            .invalidTransactionId, .invalidAccountTenure, .invalidAppAccountToken, .invalidConsumptionStatus,
            .invalidCustomerConsented, .invalidDeliveryStatus, .invalidLifetimeDollarsPurchased,
            .invalidLifetimeDollarsRefunded, .invalidPlatform, .invalidPlayTime, .invalidSampleContentProvided,
            .invalidUserStatus, .invalidRefundPreference, .invalidTransactionTypeNotSupported,
            .appTransactionIdNotSupported, .familyTransactionNotSupported, .invalidAssignedTransactionNotSupported,
            .transactionIdNotFound,
        ]
        case .lookUpOrderID: [.generalBadRequest]
        case .getRefundHistory: [.invalidRequestRevision, .invalidTransactionId, .transactionIdNotFound]
        case .getRefundHistoryV1: [
            .invalidOriginalTransactionId, .originalTransactionIdNotFound, .originalTransactionIdNotFoundRetryable,
        ]
        case .extendSubscriptionRenewalDate: [
            .invalidOriginalTransactionId, .invalidExtendByDays, .invalidExtendReasonCode, .invalidRequestIdentifier,
            .subscriptionExtensionIneligible, .subscriptionMaxExtension, .familySharedSubscriptionExtensionIneligible,
            .assignedSubscriptionExtensionIneligible, .originalTransactionIdNotFound,
            .originalTransactionIdNotFoundRetryable,
        ]
        case .extendSubscriptionRenewalDatesForAllActiveSubscribers: [
            .invalidExtendByDays, .invalidExtendReasonCode, .invalidRequestIdentifier, .invalidProductId,
            .invalidEmptyStorefrontCountryCodeList, .invalidStorefrontCountryCode, .subscriptionExtensionIneligible,
            .subscriptionMaxExtension, .statusRequestNotFound,
        ]
        case .getStatusOfSubscriptionRenewalDateExtensions: [
            .invalidRequestIdentifier, .invalidProductId, .statusRequestNotFound,
        ]
        case .uploadImage: [.invalidImage, .badRequestImageSize, .maximumNumberOfImagesReached, .imageAlreadyExists]
        case .deleteImage: [.imageInUse, .imageNotFound]
        case .getImageList: []
        case .uploadMessage: [
            .headerTooLong, .bodyTooLong, .altTextTooLong, .badRequestImageSize, .badRequestTooManyBulletPoints,
            .badRequestBulletPointTextTooLong, .badRequestAboveImageRequiresAnImage, .maximumNumberOfMessagesReached,
            .messageAlreadyExists,
        ]
        case .deleteMessage: [.messageNotFound]
        case .getMessageList: []
        case .configureDefaultMessage: [
            .invalidProductId, .invalidLocale, .messageNotApproved, .imageNotApproved, .messageNotFound,
        ]
        case .deleteDefaultMessage: [.invalidProductId, .invalidLocale]
        case .getDefaultMessage: [.invalidProductId, .invalidLocale, .defaultMessageNotFound]
        case .configureRealtimeURL: [.badRequestRealtimeUrl, .forbiddenNoPassingTest]
        case .getRealtimeURL: [.realtimeUrlNotFound]
        case .deleteRealtimeURL: [.realtimeUrlNotFound]
        case .initiatePerformanceTest: [
            .invalidTransactionId, .appTransactionIdNotSupported, .familyTransactionNotSupported,
            .transactionIdIsNotOriginalTransactionId, .invalidPerformanceTestRequest, .existingPerformanceTestRun,
        ]
        case .getPerformanceTestResults: [.invalidRequestId, .performanceTestRunNotFound]
        }
    }
}

extension AppStoreServerAPIError {
    /// The errors that any call may return.
    public static let general: [AppStoreServerAPIError] = [
        .generalBadRequest, .rateLimitExceeded, .generalInternal, .generalInternalRetryable,
    ]
}
