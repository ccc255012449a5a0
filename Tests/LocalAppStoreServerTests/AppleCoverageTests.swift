import AppStoreModel
import LocalAppStore
import LocalAppStoreTesting
import NIOHTTP1
import Testing

/// Every endpoint and every error of Apple's model: called over HTTP, or listed in
/// `Documentation/reference/fidelity.md`.
@Suite struct `Coverage of Apple's API` {
    @Test func `every endpoint and every error code is returned, or documented as never used`()
        async throws
    {
        var seen: Set<String> = []
        try await withStore(environment: .production) { store in
            try await withDeveloperServer { developer in
                var tour = AppleTour(store)
                try await tour.play(.fails(4_040_007, .POST, "/inApps/v1/notifications/test"))
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                try await Self.customers(&tour)
                try await Self.notifications(&tour)
                try await Self.externalPurchases(&tour)
                try await Self.faults(&tour)
                try await Self.retentionInProduction(&tour)
                try await Self.advancedCommerceInProduction(&tour)
                seen = tour.seen
            }
        }
        // Customer groups and performance tests exist in the sandbox only.
        try await withStore { store in
            var tour = AppleTour(store)
            try await Self.customerGroups(&tour)
            try await Self.retention(&tour)
            try await Self.retentionErrors(&tour)
            seen.formUnion(tour.seen)
        }
        try await withStore(preparedBy: Self.fillRetentionLibrary) { store in
            var tour = AppleTour(store)
            try await Self.fullRetentionLibrary(&tour)
            seen.formUnion(tour.seen)
        }
        try await withStore { store in
            var tour = AppleTour(store)
            try await Self.advancedCommerce(&tour)
            seen.formUnion(tour.seen)
        }
        try await withStore { store in
            var developer = AdvancedCommerceDeveloper(store)
            try await Self.advancedCommerceErrors(&developer)
            seen.formUnion(developer.tour.seen)
        }
        let endpoints = AppStoreServerCall.Identifier.allCases.map(\.rawValue)
        let codes = AppStoreServerAPIError.all.map { String($0.code) }
        let contradictions = try FidelityPage().contradictions(seen: seen, of: Set(endpoints + codes))
        #expect(contradictions == [])
    }

    /// Calls for customers' purchases.
    private static func customers(_ tour: inout AppleTour) async throws {
        let store = tour.store
        let coin = try await store.buy("coins.100")["transactionId"].id
        let owned = try await store.buy("lifetime", account: "bert")["transactionId"].id
        let free = try await store.buy("pro.monthly", account: "bert")["originalTransactionId"].id
        _ = try await store.buy("pro.yearly", account: "dora")
        _ = try await store.post("/_store/accounts", ["accountId": "emil"])
        _ = try await store.post("/_store/accounts/dora/family", ["member": "emil"])
        let shared = try await store.get("/_store/accounts/emil").json["transactions"][0]["transactionId"].id
        let week = try await store.buy("pro.weekly")["originalTransactionId"].id
        try await tour.play(.fails(4_030_004, .PUT, "/inApps/v1/subscriptions/extend/\(free)", extensionBody))
        _ = try await store.advance(by: "P8D")
        let anna = try await store.get("/_store/accounts/anna").json
        let renewal = anna["transactions"][2]["transactionId"].id
        let app = anna["appTransactionId"].id
        let order = anna["transactions"][0]["orderId"].id
        #expect(![coin, owned, free, shared, week, renewal, app, order].contains(""))
        try await tour.play(reads(transaction: coin, subscription: week, order: order, app: app))
        try await tour.play(updates(coin: coin, subscription: week, renewal: renewal, shared: shared))
        try await tour.play(consumptionErrors(coin: coin, owned: owned))
        try await tour.play(extensions(paid: week, shared: shared))
        try await seats(&tour)
    }

    /// A member's transaction of a subscription with seats, which Apple's calls refuse.
    private static func seats(_ tour: inout AppleTour) async throws {
        let order: JSONValue = ["productId": "plus.monthly", "seats": 2, "invitationManagement": "APPLE"]
        let bought = try await tour.store.post("/_store/accounts/bert/seat-purchases", order).json["transactionId"].id
        let members = "/_store/subscriptions/\(bought)/seat-members"
        let seat = try await tour.store.post(members, ["accountId": "emil"]).json["transactionId"].id
        try await tour.play([
            .fails(4_000_227, .PUT, "/inApps/v2/transactions/consumption/\(seat)", consumptionBody),
            .fails(4_030_028, .PUT, "/inApps/v1/subscriptions/extend/\(seat)", extensionBody),
        ])
    }

    private static func reads(transaction: String, subscription: String, order: String, app: String) -> [AppleTour.Call]
    {
        let unknown = "2000000000999999"
        let history = "/inApps/v2/history/\(transaction)"
        return [
            .succeeds(.getTransactionHistory, .GET, history),
            .succeeds(.getTransactionHistoryV1, .GET, "/inApps/v1/history/\(transaction)"),
            .succeeds(.getTransactionInfo, .GET, "/inApps/v1/transactions/\(transaction)"),
            .succeeds(.getAppTransactionInfo, .GET, "/inApps/v1/transactions/appTransactions/\(transaction)"),
            .succeeds(.getAllSubscriptionStatuses, .GET, "/inApps/v1/subscriptions/\(subscription)"),
            .succeeds(.lookUpOrderID, .GET, "/inApps/v1/lookup/\(order)"),
            .succeeds(.getRefundHistory, .GET, "/inApps/v2/refund/lookup/\(transaction)"),
            .succeeds(.getRefundHistoryV1, .GET, "/inApps/v1/refund/lookup/\(transaction)"),
            .fails(4_000_005, .GET, "/inApps/v2/refund/lookup/\(transaction)?revision=x"),
            .fails(4_000_006, .GET, "/inApps/v1/transactions/abc"),
            .fails(4_000_008, .GET, "/inApps/v1/refund/lookup/abc"),
            .fails(4_000_015, .GET, "\(history)?startDate=yesterday"),
            .fails(4_000_016, .GET, "\(history)?endDate=yesterday"),
            .fails(4_000_016, .GET, "\(history)?startDate=2&endDate=1"),
            .fails(4_000_021, .GET, "\(history)?sort=x"),
            .fails(4_000_022, .GET, "\(history)?productType=x"),
            .fails(4_000_023, .GET, "\(history)?productId="),
            .fails(4_000_024, .GET, "\(history)?subscriptionGroupIdentifier="),
            .fails(4_000_025, .GET, "\(history)?excludeRevoked=x"),
            .fails(4_000_026, .GET, "\(history)?inAppOwnershipType=x"),
            .fails(4_000_030, .GET, "\(history)?revoked=x"),
            .fails(4_000_031, .GET, "/inApps/v1/subscriptions/\(subscription)?status=9"),
            .fails(4_000_048, .POST, "/inApps/v1/transactions/\(app)/finish"),
            .fails(4_040_010, .GET, "/inApps/v1/transactions/\(unknown)"),
        ]
    }

    private static func updates(coin: String, subscription: String, renewal: String, shared: String) -> [AppleTour.Call]
    {
        let token: JSONValue = ["appAccountToken": "6e0e2a4c-aaaa-4bbb-8ccc-0123456789ab"]
        let tokenOf = { (id: String) in "/inApps/v1/transactions/\(id)/appAccountToken" }
        let consumption = "/inApps/v2/transactions/consumption"
        return [
            .succeeds(.setAppAccountToken, .PUT, tokenOf(coin), token),
            .succeeds(.finishTransaction, .POST, "/inApps/v1/transactions/\(coin)/finish"),
            .succeeds(.sendConsumptionInformation, .PUT, "\(consumption)/\(coin)", consumptionBody),
            .fails(4_000_183, .PUT, tokenOf(coin), ["appAccountToken": "x"]),
            .fails(4_000_185, .PUT, tokenOf(shared), token),
            .fails(4_000_187, .PUT, tokenOf(renewal), token),
            .fails(4_040_005, .PUT, tokenOf("2000000000999999"), token),
            .fails(
                4_000_209,
                .PUT,
                "\(consumption)/\(subscription)",
                consumptionBody.with("consumptionPercentage", 50_000)
            ),
            .fails(4_000_000, .PUT, "\(consumption)/\(coin)", consumptionBody.with("consumptionPercentage", 100_001)),
        ]
    }

    private static let consumptionBody: JSONValue = [
        "customerConsented": true, "deliveryStatus": "DELIVERED", "sampleContentProvided": false,
    ]

    private static let consumptionBodyV1: JSONValue = [
        "customerConsented": true, "consumptionStatus": 1, "platform": 1, "sampleContentProvided": false,
        "deliveryStatus": 0, "appAccountToken": "", "accountTenure": 1, "playTime": 1, "lifetimeDollarsRefunded": 1,
        "lifetimeDollarsPurchased": 1, "userStatus": 1,
    ]

    private static func consumptionErrors(coin: String, owned: String) -> [AppleTour.Call] {
        let consumption = "/inApps/v1/transactions/consumption"
        let path = "\(consumption)/\(coin)"
        let fields: [(String, Int64)] = [
            ("accountTenure", 4_000_032), ("consumptionStatus", 4_000_034), ("deliveryStatus", 4_000_036),
            ("lifetimeDollarsPurchased", 4_000_037), ("lifetimeDollarsRefunded", 4_000_038), ("platform", 4_000_039),
            ("playTime", 4_000_040), ("userStatus", 4_000_042), ("refundPreference", 4_000_044),
        ]
        return fields.map { .fails($1, .PUT, path, consumptionBodyV1.with($0, 99)) } + [
            .succeeds(.sendConsumptionInformationV1, .PUT, path, consumptionBodyV1),
            .fails(4_000_047, .PUT, "\(consumption)/\(owned)", consumptionBodyV1),
            .fails(4_000_033, .PUT, path, consumptionBodyV1.with("appAccountToken", "x")),
            .fails(4_000_035, .PUT, path, consumptionBodyV1.with("customerConsented", false)),
            .fails(4_000_041, .PUT, path, consumptionBodyV1.with("sampleContentProvided", "x")),
        ]
    }

    private static let extensionBody: JSONValue = [
        "extendByDays": 5, "extendReasonCode": 1, "requestIdentifier": "outage",
    ]

    private static func extensions(paid: String, shared: String) -> [AppleTour.Call] {
        let one = "/inApps/v1/subscriptions/extend/\(paid)"
        let mass = "/inApps/v1/subscriptions/extend/mass"
        let order = "6e0e2a4c-aaaa-4bbb-8ccc-0123456789ab"
        let massBody = extensionBody.with("productId", "pro.weekly").with("requestIdentifier", .string(order))
        return [
            .succeeds(.extendSubscriptionRenewalDate, .PUT, one, extensionBody),
            .succeeds(.extendSubscriptionRenewalDate, .PUT, one, extensionBody),
            .fails(4_030_005, .PUT, one, extensionBody),
            .fails(4_030_007, .PUT, "/inApps/v1/subscriptions/extend/\(shared)", extensionBody),
            .fails(4_000_009, .PUT, one, extensionBody.with("extendByDays", 91)),
            .fails(4_000_010, .PUT, one, extensionBody.with("extendReasonCode", 9)),
            .fails(4_000_011, .PUT, one, extensionBody.with("requestIdentifier", "")),
            .succeeds(.extendSubscriptionRenewalDatesForAllActiveSubscribers, .POST, mass, massBody),
            .succeeds(.getStatusOfSubscriptionRenewalDateExtensions, .GET, "\(mass)/pro.weekly/\(order)"),
            .fails(4_000_011, .POST, mass, massBody.with("requestIdentifier", "outage")),
            .fails(4_000_011, .GET, "\(mass)/pro.weekly/outage"),
            .fails(4_000_027, .POST, mass, massBody.with("storefrontCountryCodes", [])),
            .fails(4_000_028, .POST, mass, massBody.with("storefrontCountryCodes", ["XXX"])),
            .fails(4_040_009, .GET, "\(mass)/pro.yearly/\(order)"),
        ]
    }

    /// Calls for notifications.
    private static func notifications(_ tour: inout AppleTour) async throws {
        let path = "/inApps/v1/notifications"
        for _ in 0..<21 { _ = try await tour.store.buy("coins.100", account: "fritz") }
        let now = try #require(try await tour.store.get("/_store/status").json["now"].integerValue)
        let body: JSONValue = ["startDate": .integer(RunningStore.start), "endDate": .integer(now)]
        let first = try await tour.store.apple(.POST, "\(path)/history", body).json
        let page = first["paginationToken"].id
        let test = try await tour.store.apple(.POST, "\(path)/test").json["testNotificationToken"].id
        try await tour.play([
            .succeeds(.getNotificationHistory, .POST, "\(path)/history?paginationToken=\(page)", body),
            .succeeds(.requestTestNotification, .POST, "\(path)/test"),
            .succeeds(.getTestNotificationStatus, .GET, "\(path)/test/\(test)"),
            .fails(4_000_012, .POST, "\(path)/history", body.with("startDate", 1)),
            .fails(4_000_013, .POST, "\(path)/history", body.with("endDate", 1)),
            .fails(4_000_014, .POST, "\(path)/history?paginationToken=x", body),
            .fails(4_000_018, .POST, "\(path)/history", body.with("notificationType", "X")),
            .fails(
                4_000_019,
                .POST,
                "\(path)/history",
                body.with("notificationType", "TEST").with("transactionId", "2000000000000001")
            ),
            .fails(4_000_020, .GET, "\(path)/test/x"),
            .fails(4_040_008, .GET, "\(path)/test/6e0e2a4c-aaaa-4bbb-8ccc-0123456789ab"),
        ])
        _ = try await tour.store.advance(by: "P2D")
        try await tour.play(.fails(4_000_017, .POST, "\(path)/history?paginationToken=\(page)", body))
    }

    /// The External Purchase Server API.
    private static func externalPurchases(_ tour: inout AppleTour) async throws {
        let tokens = "/_store/accounts/anna/external-purchase-tokens"
        let token = try await tour.store.post(tokens, ["tokenType": "SERVICES"]).json["externalPurchaseId"]
        let identifier = "7d5a0a2e-0000-4000-8000-000000000001"
        let reports = "/externalPurchase/v1/reports"
        let report: JSONValue = [
            "requestIdentifier": .string(identifier), "externalPurchaseId": token, "status": "NO_LINE_ITEM",
        ]
        try await tour.play([
            .succeeds(.sendExternalPurchaseReport, .PUT, reports, report),
            .succeeds(.retrieveExternalPurchaseReport, .GET, "\(reports)/\(identifier)"),
        ])
    }

    /// The Advanced Commerce API.
    private static func advancedCommerce(_ tour: inout AppleTour) async throws {
        let path = "/advancedCommerce/v1"
        let id = try await `Advanced Commerce over HTTP`().subscriber(of: tour.store)["transactionId"].id
        let plain = try await tour.store.buy("plus.monthly", account: "bert")["transactionId"].id
        let refund: JSONValue = ["SKU": "news", "refundReason": "OTHER", "refundType": "FULL", "revoke": false]
        let texts: JSONValue = ["description": "All the news", "displayName": "News"]
        let body = { (number: Int) -> JSONValue in
            ["requestInfo": ["requestReferenceId": .string("7d5a0a2e-0000-4000-8000-00000000000\(number)")]]
        }
        try await tour.play([
            .succeeds(
                .changeSubscriptionMetadata,
                .POST,
                "\(path)/subscription/changeMetadata/\(id)",
                body(2).with("taxCode", "C003-00-9")
            ),
            .succeeds(
                .changeSubscriptionPrice,
                .POST,
                "\(path)/subscription/changePrice/\(id)",
                body(3).with("items", [["SKU": "news", "price": 5_000]])
            ),
            .succeeds(
                .requestTransactionRefund,
                .POST,
                "\(path)/transaction/requestRefund/\(id)",
                body(4).with("items", [refund]).with("refundRiskingPreference", false)
            ),
            .succeeds(.cancelSubscription, .POST, "\(path)/subscription/cancel/\(id)", body(5)),
            .succeeds(
                .revokeSubscription,
                .POST,
                "\(path)/subscription/revoke/\(id)",
                body(6).with("refundReason", "LEGAL").with("refundType", "FULL").with("refundRiskingPreference", false)
            ),
            .succeeds(
                .migrateSubscription,
                .POST,
                "\(path)/subscription/migrate/\(plain)",
                body(7).with("targetProductId", "pro.weekly").with("taxCode", "C003-00-2").with("descriptors", texts)
                    .with("items", [texts.with("SKU", "news")])
            ),
        ])
    }

    /// Customer groups.
    private static func customerGroups(_ tour: inout AppleTour) async throws {
        let id = try await tour.store.buy("coins.100")["transactionId"].id
        let made = try await tour.store.post(
            "/_store/customer-groups",
            ["groupType": "CONSUMER", "members": [["accountId": "anna"]]]
        )
        let group = "/groups/v1/group/\(made.json["groupId"].id)"
        try await tour.play([
            .succeeds(.getCustomerGroups, .GET, "/groups/v1/currentGroups/\(id)"),
            .succeeds(.getGroupMembers, .GET, group),
            .fails(4_000_004, .GET, "\(group)?limit=101"),
            .fails(4_000_225, .GET, "/groups/v1/group/x"),
        ])
        #expect(try await tour.store.send(.DELETE, "/_store/customer-groups/\(made.json["groupId"].id)").status == 204)
        try await tour.play(.fails(4_040_022, .GET, group))
    }

    /// Retention Messaging, from the first image to the results of a performance test.
    private static func retention(_ tour: inout AppleTour) async throws {
        let path = "/inApps/v1/messaging"
        let text: JSONValue = ["header": "Stay", "body": "We would miss you."]
        let message: JSONValue = ["messageIdentifier": .string(uuid(2))]
        let id = try await tour.store.buy("pro.weekly")["originalTransactionId"]
        try await tour.uploadImage(fullSizeFile, to: "\(path)/image/\(uuid(1))")
        try await tour.play([
            .succeeds(.getImageList, .GET, "\(path)/image/list"),
            .succeeds(.uploadMessage, .PUT, "\(path)/message/\(uuid(2))", text),
            .succeeds(.getMessageList, .GET, "\(path)/message/list"),
            .succeeds(.configureDefaultMessage, .PUT, "\(path)/default/pro.weekly/en-US", message),
            .succeeds(.getDefaultMessage, .GET, "\(path)/default/pro.weekly/en-US"),
            .succeeds(.deleteDefaultMessage, .DELETE, "\(path)/default/pro.weekly/en-US"),
            .succeeds(.deleteMessage, .DELETE, "\(path)/message/\(uuid(2))"),
            .succeeds(.deleteImage, .DELETE, "\(path)/image/\(uuid(1))"),
            .succeeds(.configureRealtimeURL, .PUT, "\(path)/realtime/url", ["realtimeURL": "http://127.0.0.1:9/"]),
            .succeeds(.getRealtimeURL, .GET, "\(path)/realtime/url"),
        ])
        let order: JSONValue = ["originalTransactionId": id]
        let begun = try await tour.store.apple(.POST, "\(path)/performanceTest", order)
        #expect(begun.status == 200, "\(begun.text)")
        try await tour.play([
            .succeeds(.getPerformanceTestResults, .GET, "\(path)/performanceTest/result/\(begun.json["requestId"].id)")
        ])
        tour.note(.initiatePerformanceTest, begun)
        try await tour.play(.succeeds(.deleteRealtimeURL, .DELETE, "\(path)/realtime/url"))
    }

    /// Injected faults.
    private static func faults(_ tour: inout AppleTour) async throws {
        let path = "/inApps/v1/transactions/2000000000000001"
        let faults: [(JSONValue, Int64)] = [
            (["fault": "rate_limit", "count": 1], 4_290_000),
            (["fault": "server_error", "retryable": false, "count": 1], 5_000_000),
            (["fault": "server_error", "count": 1], 5_000_001),
        ]
        for (fault, code) in faults {
            #expect(try await tour.store.put("/_store/faults", ["api": [fault]]).status == 200)
            try await tour.play(.fails(code, .GET, path))
        }
    }
}
