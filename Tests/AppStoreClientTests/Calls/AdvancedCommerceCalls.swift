import AppStoreClient
import AppStoreModel

extension CallCase {
    private static let info = "\"requestInfo\":{\"requestReferenceId\":\"b8e4d2f0-1111-4222-8333-444455556666\"}"
    private static let signed = "{\"signedTransactionInfo\":\"a.b.c\",\"signedRenewalInfo\":\"d.e.f\"}"
    private static let subscription = "POST /advancedCommerce/v1/subscription"

    static let advancedCommerce: [CallCase] = [
        .reads(
            .cancelSubscription,
            "\(subscription)/cancel/1",
            sends: "{\(info),\"storefront\":\"USA\"}",
            answers: signed
        ) { app, body in
            try await app.cancelSubscription(transactionId: "1", .init(text: body))
        },
        .reads(
            .revokeSubscription,
            "\(subscription)/revoke/1",
            sends: "{\(info),\"refundReason\":\"LEGAL\",\"refundType\":\"FULL\",\"refundRiskingPreference\":false}",
            answers: signed
        ) { app, body in
            try await app.revokeSubscription(transactionId: "1", .init(text: body))
        },
        .reads(
            .changeSubscriptionPrice,
            "\(subscription)/changePrice/1",
            sends:
                "{\(info),\"items\":[{\"SKU\":\"a\",\"price\":9990,\"dependentSKUs\":[\"b\"]}],\"currency\":\"USD\"}",
            answers: signed
        ) { app, body in
            try await app.changeSubscriptionPrice(transactionId: "1", .init(text: body))
        },
        .reads(
            .changeSubscriptionMetadata,
            "\(subscription)/changeMetadata/1",
            sends: "{\(info),\"items\":[{\"currentSKU\":\"a\",\"effective\":\"NEXT_BILL_CYCLE\",\"SKU\":\"b\"}],"
                + "\"taxCode\":\"S021-06-1\"}",
            answers: signed
        ) { app, body in
            try await app.changeSubscriptionMetadata(transactionId: "1", .init(text: body))
        },
        .reads(
            .migrateSubscription,
            "\(subscription)/migrate/1",
            sends:
                "{\(info),\"targetProductId\":\"p\",\"taxCode\":\"S021-06-1\",\"descriptors\":{\"description\":\"d\","
                + "\"displayName\":\"n\"},\"items\":[{\"SKU\":\"a\",\"description\":\"d\",\"displayName\":\"n\"}]}",
            answers: signed
        ) { app, body in
            try await app.migrateSubscription(transactionId: "1", .init(text: body))
        },
        .reads(
            .requestTransactionRefund,
            "POST /advancedCommerce/v1/transaction/requestRefund/1",
            sends:
                "{\(info),\"items\":[{\"SKU\":\"a\",\"refundReason\":\"OTHER\",\"refundType\":\"CUSTOM\","
                + "\"revoke\":true,\"refundAmount\":500}],\"refundRiskingPreference\":true,\"currency\":\"USD\"}",
            answers: "{\"signedTransactionInfo\":\"a.b.c\"}"
        ) { app, body in
            try await app.requestTransactionRefund(transactionId: "1", .init(text: body))
        },
    ]
}
