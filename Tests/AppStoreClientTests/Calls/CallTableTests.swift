import AppStoreClient
import AppStoreModel
import Testing

@Suite struct `The table of calls` {
    @Test func `all 42 calls of Apple's APIs have their own name, method and path`() {
        let all = AppStoreServerCall.all

        #expect(all.count == 42)
        #expect(Set(all.map(\.name)).count == 42)
        #expect(Set(all.map(\.title)).count == 42)
        #expect(Set(all.map(\.description)).count == 42)
        for call in all {
            #expect(AppStoreServerCall.named(call.name) == call)
            #expect(call.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
        }
        let families = Dictionary(grouping: all, by: \.family).mapValues(\.count)
        #expect(
            families == [
                .purchases: 14, .extensions: 3, .notifications: 3, .retentionMessaging: 14, .externalPurchase: 2,
                .advancedCommerce: 6,
            ]
        )
    }

    @Test func `the limits are Apple's`() {
        let limits = Dictionary(grouping: AppStoreServerCall.all, by: \.productionCallsPerSecond)
            .mapValues { Set($0.map(\.name)) }

        #expect(limits[20] == ["extend-subscription-renewal-date", "set-app-account-token"])
        #expect(
            limits[10] == [
                "look-up-order-id", "get-refund-history", "get-refund-history-v1", "configure-default-message",
            ]
        )
        #expect(limits[5] == ["cancel-subscription", "revoke-subscription", "request-transaction-refund"])
        #expect(
            limits[.none] == [
                "get-status-of-subscription-renewal-date-extensions", "send-external-purchase-report",
                "retrieve-external-purchase-report",
            ]
        )
        // Thirteen of Retention Messaging, the mass extension and the two for test notifications.
        #expect(limits[1]?.count == 16)
        #expect(limits[50]?.count == 14)
    }

    @Test func `two calls are for one environment only, two more are tests for sandbox`() {
        let byAvailability = Dictionary(grouping: AppStoreServerCall.all, by: \.availability).mapValues {
            Set($0.map(\.name))
        }

        #expect(byAvailability[.productionOnly] == ["look-up-order-id"])
        #expect(
            byAvailability[.sandboxOnly] == [
                "get-customer-groups", "get-group-members", "initiate-performance-test", "get-performance-test-results",
            ]
        )
    }

    @Test func `only idempotent calls may be repeated`() {
        let once = Set(AppStoreServerCall.all.filter { !$0.isRepeatable }.map(\.name))

        #expect(
            once == [
                "extend-subscription-renewal-date", "request-test-notification", "upload-image", "delete-image",
                "upload-message", "delete-message", "delete-default-message", "delete-realtime-url",
                "initiate-performance-test", "send-external-purchase-report", "cancel-subscription",
                "revoke-subscription", "change-subscription-price", "change-subscription-metadata",
                "migrate-subscription", "request-transaction-refund",
            ]
        )
        let reads = AppStoreServerCall.all.filter { $0.method == "GET" }
        #expect(reads.allSatisfy { $0.isRepeatable })
    }

    @Test func `each call has its own errors`() {
        #expect(
            AppStoreServerCall.finishTransaction.errors == [
                .invalidTransactionId, .appTransactionIdNotSupported, .transactionIdNotFound,
            ]
        )
        let without = Set(AppStoreServerCall.all.filter(\.errors.isEmpty).map(\.name))
        #expect(
            without == [
                "get-image-list", "get-message-list", "send-external-purchase-report",
                "retrieve-external-purchase-report",
            ]
        )
        let general = Set(AppStoreServerAPIError.general.map(\.code))
        #expect(general == [4_000_000, 4_290_000, 5_000_000, 5_000_001])
        // Apple documents the first for one call too.
        let repeated = AppStoreServerCall.all.filter { call in call.errors.contains { general.contains($0.code) } }
        #expect(repeated == [.lookUpOrderID])
    }

    @Test func `the descriptions of bodies match the methods`() {
        for call in AppStoreServerCall.all {
            #expect((call.body == .json) == (call.types.request != nil), "\(call.name)")
            if call.method == "GET" || call.method == "DELETE" { #expect(call.body == .none) }
            #expect(call.pathParameters.allSatisfy { call.path.contains("{\($0)}") })
        }
        #expect(AppStoreServerCall.all.filter { $0.body == .png }.map(\.name) == ["upload-image"])
        #expect(AppStoreServerCall.getDefaultMessage.pathParameters == ["productId", "locale"])
    }
}
