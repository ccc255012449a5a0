import AppStoreClient
import AppStoreModel

extension CallCase {
    private static let id = "0f1c6fb2-9d10-4f6e-8a0a-6d4a2a1f0b11"
    private static let messaging = "/inApps/v1/messaging"
    private static let config =
        "{\"maxConcurrentRequests\":100,\"totalRequests\":10000,\"totalDuration\":60000,\"responseTimeThreshold\":700,"
        + "\"successRateThreshold\":98}"

    static let retentionMessages: [CallCase] = [
        .writes(.deleteImage, "DELETE \(messaging)/image/\(id)") { app, _ in
            try await app.deleteImage(imageIdentifier: id)
        },
        .reads(
            .getImageList,
            "GET \(messaging)/image/list",
            answers: "{\"imageIdentifiers\":[{\"imageIdentifier\":\"\(id)\",\"imageState\":\"APPROVED\","
                + "\"imageSize\":\"BULLET_POINT\"}]}"
        ) { app, _ in
            try await app.getImageList()
        },
        .writes(
            .uploadMessage,
            "PUT \(messaging)/message/\(id)",
            sends: "{\"header\":\"Stay\",\"body\":\"There is more to come.\",\"image\":{\"imageIdentifier\":\"\(id)\","
                + "\"altText\":\"A tree\"},\"headerPosition\":\"ABOVE_IMAGE\",\"bulletPoints\":[{\"text\":\"One\","
                + "\"imageIdentifier\":\"\(id)\",\"altText\":\"A leaf\"}]}"
        ) { app, body in
            try await app.uploadMessage(messageIdentifier: id, UploadMessageRequestBody(text: body))
        },
        .writes(.deleteMessage, "DELETE \(messaging)/message/\(id)") { app, _ in
            try await app.deleteMessage(messageIdentifier: id)
        },
        .reads(
            .getMessageList,
            "GET \(messaging)/message/list",
            answers: "{\"messageIdentifiers\":[{\"messageIdentifier\":\"\(id)\",\"messageState\":\"PENDING\"}]}"
        ) { app, _ in
            try await app.getMessageList()
        },
        .writes(
            .configureDefaultMessage,
            "PUT \(messaging)/default/pro.monthly/en-US",
            sends: "{\"messageIdentifier\":\"\(id)\"}"
        ) { app, body in
            let request = try DefaultConfigurationRequest(text: body)
            return try await app.configureDefaultMessage(productId: "pro.monthly", locale: "en-US", request)
        },
        .writes(.deleteDefaultMessage, "DELETE \(messaging)/default/pro.monthly/en-US") { app, _ in
            try await app.deleteDefaultMessage(productId: "pro.monthly", locale: "en-US")
        },
        .reads(
            .getDefaultMessage,
            "GET \(messaging)/default/pro.monthly/en-US",
            answers: "{\"messageIdentifier\":\"\(id)\"}"
        ) { app, _ in
            try await app.getDefaultMessage(productId: "pro.monthly", locale: "en-US")
        },
    ]

    static let retentionRealtime: [CallCase] = [
        .writes(
            .configureRealtimeURL,
            "PUT \(messaging)/realtime/url",
            sends: "{\"realtimeURL\":\"https://example.com/realtime\"}"
        ) { app, body in
            try await app.configureRealtimeURL(RealtimeUrlRequest(text: body))
        },
        .reads(
            .getRealtimeURL,
            "GET \(messaging)/realtime/url",
            answers: "{\"realtimeURL\":\"https://example.com/realtime\"}"
        ) { app, _ in
            try await app.getRealtimeURL()
        },
        .writes(.deleteRealtimeURL, "DELETE \(messaging)/realtime/url") { app, _ in
            try await app.deleteRealtimeURL()
        },
        .reads(
            .initiatePerformanceTest,
            "POST \(messaging)/performanceTest",
            sends: "{\"originalTransactionId\":\"2000000000000001\"}",
            answers: "{\"config\":\(config),\"requestId\":\"r1\"}"
        ) { app, body in
            try await app.initiatePerformanceTest(PerformanceTestRequest(text: body))
        },
        .reads(
            .getPerformanceTestResults,
            "GET \(messaging)/performanceTest/result/r1",
            answers: "{\"config\":\(config),\"target\":\"https://example.com/realtime\",\"result\":\"PASS\","
                + "\"successRate\":99,\"numPending\":0,\"responseTimes\":{\"average\":80,\"p50\":70,"
                + "\"p90\":120,\"p95\":150,\"p99\":400},\"failures\":{\"TIMED_OUT\":3}}"
        ) { app, _ in
            try await app.getPerformanceTestResults(requestId: "r1")
        },
    ]
}
