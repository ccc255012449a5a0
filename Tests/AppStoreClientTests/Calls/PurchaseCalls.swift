import AppStoreClient
import AppStoreModel

extension CallCase {
    private static let history =
        "{\"revision\":\"r1\",\"hasMore\":true,\"bundleId\":\"com.example.perennial\",\"appAppleId\":1234567890,"
        + "\"environment\":\"Production\",\"signedTransactions\":[\"a.b.c\",\"d.e.f\"]}"
    private static let statuses =
        "{\"environment\":\"Sandbox\",\"bundleId\":\"com.example.perennial\",\"appAppleId\":1234567890,\"data\":[{"
        + "\"subscriptionGroupIdentifier\":\"21000001\",\"lastTransactions\":[{\"originalTransactionId\":\"1\","
        + "\"status\":1,\"signedTransactionInfo\":\"a.b.c\",\"signedRenewalInfo\":\"d.e.f\"}]}]}"
    private static let groups =
        "{\"groups\":[{\"groupId\":\"900000000000000000\",\"groupType\":\"ORGANIZATION\",\"roles\":["
        + "{\"productId\":\"a\",\"role\":\"ADMIN\"},{\"productId\":\"b\",\"role\":\"NONE\"}]}]}"
    private static let consumptionV1 =
        "{\"customerConsented\":true,\"consumptionStatus\":1,\"platform\":2,\"sampleContentProvided\":false,"
        + "\"deliveryStatus\":3,\"appAccountToken\":\"\",\"accountTenure\":4,\"playTime\":5,"
        + "\"lifetimeDollarsRefunded\":6,\"lifetimeDollarsPurchased\":7,\"userStatus\":4,\"refundPreference\":3}"
    private static let consumption =
        "{\"customerConsented\":true,\"deliveryStatus\":\"DELIVERED\",\"sampleContentProvided\":false,"
        + "\"consumptionPercentage\":67932,\"refundPreference\":\"GRANT_PRORATED\"}"

    static let purchaseReads: [CallCase] = [
        .reads(
            .getTransactionHistory,
            "GET /inApps/v2/history/1?startDate=1000&endDate=2000&productId=a&productId=b%20c&productType=CONSUMABLE"
                + "&productType=AUTO_RENEWABLE&subscriptionGroupIdentifier=21&inAppOwnershipType=PURCHASED"
                + "&revoked=false&sort=DESCENDING&revision=r%2F0",
            answers: history
        ) { app, _ in
            let filter = TransactionHistoryFilter(
                startDate: 1000,
                endDate: 2000,
                productIds: ["a", "b c"],
                productTypes: [.consumable, .autoRenewable],
                subscriptionGroupIdentifiers: ["21"],
                inAppOwnershipType: .purchased,
                revoked: false,
                sort: .descending
            )
            return try await app.getTransactionHistory(anyTransactionId: "1", filter: filter, revision: "r/0")
        },
        .reads(.getTransactionHistoryV1, "GET /inApps/v1/history/1?revoked=true", answers: history) { app, _ in
            try await app.getTransactionHistoryV1(
                anyTransactionId: "1",
                filter: TransactionHistoryFilter(revoked: true)
            )
        },
        .reads(
            .getTransactionInfo,
            "GET /inApps/v1/transactions/2000000000000001",
            answers: "{\"signedTransactionInfo\":\"a.b.c\"}"
        ) { app, _ in
            try await app.getTransactionInfo(transactionId: "2000000000000001")
        },
        .reads(
            .getAppTransactionInfo,
            "GET /inApps/v1/transactions/appTransactions/704000000000000001",
            answers: "{\"signedAppTransactionInfo\":\"a.b.c\"}"
        ) { app, _ in
            try await app.getAppTransactionInfo(anyTransactionId: "704000000000000001")
        },
        .reads(
            .getAllSubscriptionStatuses,
            "GET /inApps/v1/subscriptions/1?status=1&status=4",
            answers: statuses
        ) { app, _ in
            try await app.getAllSubscriptionStatuses(anyTransactionId: "1", status: [.active, .billingGracePeriod])
        },
        .reads(.getCustomerGroups, "GET /groups/v1/currentGroups/1", answers: groups) { app, _ in
            try await app.getCustomerGroups(anyTransactionId: "1")
        },
        .reads(
            .getGroupMembers,
            "GET /groups/v1/group/9?paginationToken=t&limit=100",
            answers:
                "{\"members\":[{\"appTransactionId\":\"700000000000000000\"}],\"paginationToken\":\"u\","
                + "\"hasMore\":true}"
        ) { app, _ in
            try await app.getGroupMembers(groupId: "9", paginationToken: "t", limit: 100)
        },
        .reads(
            .lookUpOrderID,
            "GET /inApps/v1/lookup/MK5TTTVWJH",
            answers: "{\"status\":0,\"signedTransactions\":[\"a.b.c\"]}"
        ) { app, _ in
            try await app.lookUpOrderId(orderId: "MK5TTTVWJH")
        },
        .reads(
            .getRefundHistory,
            "GET /inApps/v2/refund/lookup/1?revision=r",
            answers: "{\"hasMore\":false,\"revision\":\"r2\",\"signedTransactions\":[]}"
        ) { app, _ in
            try await app.getRefundHistory(anyTransactionId: "1", revision: "r")
        },
        .reads(
            .getRefundHistoryV1,
            "GET /inApps/v1/refund/lookup/1",
            answers: "{\"signedTransactions\":[\"a.b.c\"]}"
        ) { app, _ in
            try await app.getRefundHistoryV1(originalTransactionId: "1")
        },
    ]

    static let purchaseWrites: [CallCase] = [
        .writes(
            .setAppAccountToken,
            "PUT /inApps/v1/transactions/1/appAccountToken",
            sends: "{\"appAccountToken\":\"7e3fb20b-4cdb-47cc-936d-99d65f608138\"}"
        ) { app, body in
            try await app.setAppAccountToken(originalTransactionId: "1", UpdateAppAccountTokenRequest(text: body))
        },
        .writes(.finishTransaction, "POST /inApps/v1/transactions/1/finish") { app, _ in
            try await app.finishTransaction(transactionId: "1")
        },
        .writes(
            .sendConsumptionInformation,
            "PUT /inApps/v2/transactions/consumption/1",
            sends: consumption,
            status: 202
        ) { app, body in
            try await app.sendConsumptionInformation(transactionId: "1", ConsumptionRequest(text: body))
        },
        .writes(
            .sendConsumptionInformationV1,
            "PUT /inApps/v1/transactions/consumption/1",
            sends: consumptionV1,
            status: 202
        ) { app, body in
            try await app.sendConsumptionInformationV1(transactionId: "1", ConsumptionRequestV1(text: body))
        },
    ]
}

extension JSONRepresentable {
    /// Parses JSON text.
    init(text: String) throws {
        try self.init(jsonBytes: Array(text.utf8))
    }
}
