// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension AppStoreServerCall {
    /// The calls of ``Family/retentionMessaging``.
    public static let retentionMessaging: [AppStoreServerCall] = [
        .uploadImage, .deleteImage, .getImageList, .uploadMessage, .deleteMessage, .getMessageList,
        .configureDefaultMessage, .deleteDefaultMessage, .getDefaultMessage, .configureRealtimeURL, .getRealtimeURL,
        .deleteRealtimeURL, .initiatePerformanceTest, .getPerformanceTestResults,
    ]

    /// Upload Image.
    ///
    /// - Source: Retention Messaging API, Upload Image.
    public static let uploadImage = AppStoreServerCall(
        identifier: .uploadImage,
        name: "upload-image",
        title: "Upload Image",
        family: .retentionMessaging,
        method: "PUT",
        path: "/inApps/v1/messaging/image/{imageIdentifier}",
        queryParameters: ["imageSize"],
        body: .png,
        types: Types(),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Delete Image.
    ///
    /// - Source: Retention Messaging API, Delete Image.
    public static let deleteImage = AppStoreServerCall(
        identifier: .deleteImage,
        name: "delete-image",
        title: "Delete Image",
        family: .retentionMessaging,
        method: "DELETE",
        path: "/inApps/v1/messaging/image/{imageIdentifier}",
        queryParameters: [],
        body: .none,
        types: Types(),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Get Image List.
    ///
    /// - Source: Retention Messaging API, Get Image List.
    public static let getImageList = AppStoreServerCall(
        identifier: .getImageList,
        name: "get-image-list",
        title: "Get Image List",
        family: .retentionMessaging,
        method: "GET",
        path: "/inApps/v1/messaging/image/list",
        queryParameters: [],
        body: .none,
        types: Types(answer: "GetImageListResponse"),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Upload Message.
    ///
    /// - Source: Retention Messaging API, Upload Message.
    public static let uploadMessage = AppStoreServerCall(
        identifier: .uploadMessage,
        name: "upload-message",
        title: "Upload Message",
        family: .retentionMessaging,
        method: "PUT",
        path: "/inApps/v1/messaging/message/{messageIdentifier}",
        queryParameters: [],
        body: .json,
        types: Types(request: "UploadMessageRequestBody"),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Delete Message.
    ///
    /// - Source: Retention Messaging API, Delete Message.
    public static let deleteMessage = AppStoreServerCall(
        identifier: .deleteMessage,
        name: "delete-message",
        title: "Delete Message",
        family: .retentionMessaging,
        method: "DELETE",
        path: "/inApps/v1/messaging/message/{messageIdentifier}",
        queryParameters: [],
        body: .none,
        types: Types(),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Get Message List.
    ///
    /// - Source: Retention Messaging API, Get Message List.
    public static let getMessageList = AppStoreServerCall(
        identifier: .getMessageList,
        name: "get-message-list",
        title: "Get Message List",
        family: .retentionMessaging,
        method: "GET",
        path: "/inApps/v1/messaging/message/list",
        queryParameters: [],
        body: .none,
        types: Types(answer: "GetMessageListResponse"),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Configure Default Message.
    ///
    /// - Source: Retention Messaging API, Configure Default Message.
    public static let configureDefaultMessage = AppStoreServerCall(
        identifier: .configureDefaultMessage,
        name: "configure-default-message",
        title: "Configure Default Message",
        family: .retentionMessaging,
        method: "PUT",
        path: "/inApps/v1/messaging/default/{productId}/{locale}",
        queryParameters: [],
        body: .json,
        types: Types(request: "DefaultConfigurationRequest"),
        productionCallsPerSecond: 10,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Delete Default Message.
    ///
    /// - Source: Retention Messaging API, Delete Default Message.
    public static let deleteDefaultMessage = AppStoreServerCall(
        identifier: .deleteDefaultMessage,
        name: "delete-default-message",
        title: "Delete Default Message",
        family: .retentionMessaging,
        method: "DELETE",
        path: "/inApps/v1/messaging/default/{productId}/{locale}",
        queryParameters: [],
        body: .none,
        types: Types(),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Get Default Message.
    ///
    /// - Source: Retention Messaging API, Get Default Message.
    public static let getDefaultMessage = AppStoreServerCall(
        identifier: .getDefaultMessage,
        name: "get-default-message",
        title: "Get Default Message",
        family: .retentionMessaging,
        method: "GET",
        path: "/inApps/v1/messaging/default/{productId}/{locale}",
        queryParameters: [],
        body: .none,
        types: Types(answer: "DefaultConfigurationResponse"),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Configure Realtime URL.
    ///
    /// - Source: Retention Messaging API, Configure Realtime URL.
    public static let configureRealtimeURL = AppStoreServerCall(
        identifier: .configureRealtimeURL,
        name: "configure-realtime-url",
        title: "Configure Realtime URL",
        family: .retentionMessaging,
        method: "PUT",
        path: "/inApps/v1/messaging/realtime/url",
        queryParameters: [],
        body: .json,
        types: Types(request: "RealtimeUrlRequest"),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Get Realtime URL.
    ///
    /// - Source: Retention Messaging API, Get Realtime URL.
    public static let getRealtimeURL = AppStoreServerCall(
        identifier: .getRealtimeURL,
        name: "get-realtime-url",
        title: "Get Realtime URL",
        family: .retentionMessaging,
        method: "GET",
        path: "/inApps/v1/messaging/realtime/url",
        queryParameters: [],
        body: .none,
        types: Types(answer: "RealtimeUrlResponse"),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Delete Realtime URL.
    ///
    /// - Source: Retention Messaging API, Delete Realtime URL.
    public static let deleteRealtimeURL = AppStoreServerCall(
        identifier: .deleteRealtimeURL,
        name: "delete-realtime-url",
        title: "Delete Realtime URL",
        family: .retentionMessaging,
        method: "DELETE",
        path: "/inApps/v1/messaging/realtime/url",
        queryParameters: [],
        body: .none,
        types: Types(),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Initiate Performance Test.
    ///
    /// - Source: Retention Messaging API, Initiate Performance Test.
    public static let initiatePerformanceTest = AppStoreServerCall(
        identifier: .initiatePerformanceTest,
        name: "initiate-performance-test",
        title: "Initiate Performance Test",
        family: .retentionMessaging,
        method: "POST",
        path: "/inApps/v1/messaging/performanceTest",
        queryParameters: [],
        body: .json,
        types: Types(request: "PerformanceTestRequest", answer: "PerformanceTestResponse"),
        productionCallsPerSecond: 1,
        availability: .sandboxOnly,
        isRepeatable: false
    )

    /// Get Performance Test Results.
    ///
    /// - Source: Retention Messaging API, Get Performance Test Results.
    public static let getPerformanceTestResults = AppStoreServerCall(
        identifier: .getPerformanceTestResults,
        name: "get-performance-test-results",
        title: "Get Performance Test Results",
        family: .retentionMessaging,
        method: "GET",
        path: "/inApps/v1/messaging/performanceTest/result/{requestId}",
        queryParameters: [],
        body: .none,
        types: Types(answer: "PerformanceTestResultResponse"),
        productionCallsPerSecond: 1,
        availability: .sandboxOnly,
        isRepeatable: true
    )
}
