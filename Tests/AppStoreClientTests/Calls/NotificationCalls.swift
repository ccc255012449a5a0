import AppStoreClient
import AppStoreModel

extension CallCase {
    private static let attempts =
        "\"sendAttempts\":[{\"attemptDate\":1698148900000,\"sendAttemptResult\":\"TLS_ISSUE\"},"
        + "{\"attemptDate\":1698148950000,\"sendAttemptResult\":\"SUCCESS\"}]"

    static let extensions: [CallCase] = [
        .reads(
            .extendSubscriptionRenewalDate,
            "PUT /inApps/v1/subscriptions/extend/4124214",
            sends:
                "{\"extendByDays\":45,\"extendReasonCode\":1,"
                + "\"requestIdentifier\":\"fdf964a4-233b-486c-aac1-97d8d52688ac\"}",
            answers: "{\"originalTransactionId\":\"4124214\",\"webOrderLineItemId\":\"9993\",\"success\":true,"
                + "\"effectiveDate\":1698148900000}"
        ) { app, body in
            let request = try ExtendRenewalDateRequest(text: body)
            return try await app.extendSubscriptionRenewalDate(originalTransactionId: "4124214", request)
        },
        .reads(
            .extendSubscriptionRenewalDatesForAllActiveSubscribers,
            "POST /inApps/v1/subscriptions/extend/mass",
            sends: "{\"requestIdentifier\":\"fdf964a4-233b-486c-aac1-97d8d52688ac\",\"extendByDays\":45,"
                + "\"extendReasonCode\":3,\"productId\":\"pro.monthly\",\"storefrontCountryCodes\":[\"USA\",\"MEX\"]}",
            answers: "{\"requestIdentifier\":\"758883e8-151b-47b7-abd0-60c4d804c2f5\"}"
        ) { app, body in
            try await app.extendRenewalDateForAllActiveSubscribers(MassExtendRenewalDateRequest(text: body))
        },
        .reads(
            .getStatusOfSubscriptionRenewalDateExtensions,
            "GET /inApps/v1/subscriptions/extend/mass/pro.monthly/20fba8a0-2b80-4a7d-a17f-85c1854727f8",
            answers: "{\"requestIdentifier\":\"20fba8a0-2b80-4a7d-a17f-85c1854727f8\",\"complete\":true,"
                + "\"completeDate\":1698148900000,\"succeededCount\":30,\"failedCount\":2}"
        ) { app, _ in
            try await app.getStatusOfSubscriptionRenewalDateExtensions(
                productId: "pro.monthly",
                requestIdentifier: "20fba8a0-2b80-4a7d-a17f-85c1854727f8"
            )
        },
    ]

    static let notifications: [CallCase] = [
        .reads(
            .getNotificationHistory,
            "POST /inApps/v1/notifications/history?paginationToken=a036bc0e-52b8%2B1",
            sends: "{\"startDate\":1698148900000,\"endDate\":1698148950000,\"notificationType\":\"SUBSCRIBED\","
                + "\"notificationSubtype\":\"INITIAL_BUY\",\"onlyFailures\":true}",
            answers: "{\"paginationToken\":\"57715481\",\"hasMore\":true,\"notificationHistory\":["
                + "{\"signedPayload\":\"a.b.c\",\(attempts)}]}"
        ) { app, body in
            let request = try NotificationHistoryRequest(text: body)
            return try await app.getNotificationHistory(request, paginationToken: "a036bc0e-52b8+1")
        },
        .reads(
            .requestTestNotification,
            "POST /inApps/v1/notifications/test",
            answers: "{\"testNotificationToken\":\"ce3af791-365e-4c60-841b-1674b43c1609\"}"
        ) { app, _ in
            try await app.requestTestNotification()
        },
        .reads(
            .getTestNotificationStatus,
            "GET /inApps/v1/notifications/test/8cd2974c_1234",
            answers: "{\"signedPayload\":\"a.b.c\",\(attempts)}"
        ) { app, _ in
            try await app.getTestNotificationStatus(testNotificationToken: "8cd2974c_1234")
        },
    ]

    private static let report =
        "{\"requestIdentifier\":\"6e2f0c1a-5c9f-4a55-8a2c-0d2b2f6f4e11\",\"externalPurchaseId\":\"SANDBOX_1\","
        + "\"status\":\"LINE_ITEM\",\"lineItems\":[{\"lineItemId\":\"l1\",\"creationDate\":1698148900000,"
        + "\"eventType\":\"BUY\",\"productType\":\"ONE_TIME_BUY\",\"productIdentifier\":\"p\",\"quantity\":1,"
        + "\"pricingCurrency\":\"EUR\",\"reportingCurrency\":\"EUR\",\"amountTaxExclusive\":1000,"
        + "\"amountTaxInclusive\":1190,\"netAmountTaxExclusive\":1000,\"taxAmount\":190,\"taxCountry\":\"DEU\"}]}"

    static let externalPurchase: [CallCase] = [
        .reads(
            .sendExternalPurchaseReport,
            "PUT /externalPurchase/v1/reports",
            sends: report,
            answers: "{\"requestIdentifier\":\"6e2f0c1a-5c9f-4a55-8a2c-0d2b2f6f4e11\"}"
        ) { app, body in
            try await app.sendExternalPurchaseReport(ExternalPurchaseReport(text: body))
        },
        .reads(
            .retrieveExternalPurchaseReport,
            "GET /externalPurchase/v1/reports/6e2f0c1a-5c9f-4a55-8a2c-0d2b2f6f4e11",
            answers: "{\"report\":\(report)}"
        ) { app, _ in
            try await app.retrieveExternalPurchaseReport(requestIdentifier: "6e2f0c1a-5c9f-4a55-8a2c-0d2b2f6f4e11")
        },
    ]
}
