import AppStoreModel
import Testing

@Suite struct `A list of documented values` {
    @Test func `documented values have Apple's numbers`() {
        #expect(OrderLookupStatus.documented.map(\.rawValue) == [0, 1])
        #expect(ExtendReasonCode.documented.map(\.rawValue) == Array(0...3))
        #expect(ConsumptionStatus.documented.map(\.rawValue) == Array(0...3))
        #expect(ConsumptionPlatform.documented.map(\.rawValue) == Array(0...2))
        #expect(DeliveryStatusV1.documented.map(\.rawValue) == Array(0...5))
        #expect(AccountTenure.documented.map(\.rawValue) == Array(0...7))
        #expect(PlayTime.documented.map(\.rawValue) == Array(0...7))
        #expect(LifetimeDollarsPurchased.documented.map(\.rawValue) == Array(0...7))
        #expect(LifetimeDollarsRefunded.documented.map(\.rawValue) == Array(0...7))
        #expect(UserStatus.documented.map(\.rawValue) == Array(0...4))
        #expect(RefundPreferenceV1.documented.map(\.rawValue) == Array(0...3))
    }

    @Test func `documented values have Apple's texts`() {
        #expect(PurchasePlatform.documented.map(\.rawValue) == ["iOS", "macOS", "tvOS", "visionOS"])
        #expect(StoreType.documented.map(\.rawValue) == ["CONSUMER"])
        #expect(CustomerGroupType.documented.map(\.rawValue) == ["ORGANIZATION", "CONSUMER"])
        #expect(CustomerGroupRole.documented.map(\.rawValue) == ["ADMIN", "NONE"])
        #expect(
            DeliveryStatus.documented.map(\.rawValue) == [
                "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE",
                "UNDELIVERED_OTHER",
            ]
        )
        #expect(RefundPreference.documented.map(\.rawValue) == ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"])
        #expect(
            ExternalPurchaseReportStatus.documented.map(\.rawValue)
                == ["LINE_ITEM", "NO_LINE_ITEM", "UNRECOGNIZED_TOKEN", "DUPLICATE_TOKEN"]
        )
        #expect(ExternalPurchaseEventType.documented.map(\.rawValue) == ["BUY", "REFUND"])
        #expect(ExternalPurchaseProductType.documented.map(\.rawValue) == ["ONE_TIME_BUY", "SUBSCRIPTION"])
        #expect(
            ExternalPurchaseSubscriptionEvent.documented.map(\.rawValue)
                == ["SUBSCRIPTION_START", "RENEWAL", "SUBSCRIPTION_CHANGE", "SUBSCRIPTION_PAYMENT"]
        )
    }

    @Test func `limits are the ones that Apple documents`() {
        #expect(HistoryResponse.transactionsMax == 20)
        #expect(RefundHistoryResponse.transactionsMax == 20)
        #expect(RefundLookupResponse.transactionsMax == 50)
        #expect(NotificationHistoryResponse.notificationsMax == 20)
        #expect(GetGroupMembersResponse.limitMax == 100)
        #expect(ExtendRenewalDateRequest.daysMax == 90)
        #expect(ExtendRenewalDateRequest.requestIdentifierLengthMax == 128)
        #expect(ConsumptionRequest.consumptionPercentageMax == 100_000)
        #expect(NotificationHistoryRequest.productionWindow == 15_552_000_000)
        #expect(NotificationHistoryRequest.sandboxWindow == 2_592_000_000)
    }
}
