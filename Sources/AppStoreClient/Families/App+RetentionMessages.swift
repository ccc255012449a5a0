public import AppStoreModel

// The calls about messages, images and default messages of the Retention Messaging API.
extension AppStoreServerAPIClient.App {
    /// Deletes an image that no message uses.
    ///
    /// - Parameter imageIdentifier: The image.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; and what every call throws.
    /// - Source: Retention Messaging API, Delete Image.
    @discardableResult
    public func deleteImage(imageIdentifier: String) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.deleteImage, path: ["imageIdentifier": imageIdentifier])
    }

    /// Gets all images with their states.
    ///
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: What every call throws.
    /// - Source: Retention Messaging API, Get Image List.
    public func getImageList() async throws(AppStoreClientError) -> AppStoreAnswer<GetImageListResponse> {
        try await call(.getImageList)
    }

    /// Uploads a message; Apple reviews it, the sandbox approves it at once.
    ///
    /// The limit is 2000 messages. An identifier can be used once, so the call is not retried if the first attempt may
    /// have been received.
    ///
    /// - Parameters:
    ///   - messageIdentifier: A new UUID.
    ///   - request: The message.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; and what every call throws.
    /// - Source: Retention Messaging API, Upload Message.
    @discardableResult
    public func uploadMessage(
        messageIdentifier: String,
        _ request: UploadMessageRequestBody
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.uploadMessage, path: ["messageIdentifier": messageIdentifier], body: request)
    }

    /// Deletes a message.
    ///
    /// - Parameter messageIdentifier: The message.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; and what every call throws.
    /// - Source: Retention Messaging API, Delete Message.
    @discardableResult
    public func deleteMessage(
        messageIdentifier: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.deleteMessage, path: ["messageIdentifier": messageIdentifier])
    }

    /// Gets all messages with their states.
    ///
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: What every call throws.
    /// - Source: Retention Messaging API, Get Message List.
    public func getMessageList() async throws(AppStoreClientError) -> AppStoreAnswer<GetMessageListResponse> {
        try await call(.getMessageList)
    }

    /// Sets or replaces the message that is shown without a realtime answer.
    ///
    /// - Parameters:
    ///   - productId: The subscription.
    ///   - locale: For example `en-US`.
    ///   - request: The approved message.
    /// - Rate limit: 10/s in production, 1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; and what every call throws.
    /// - Source: Retention Messaging API, Configure Default Message.
    @discardableResult
    public func configureDefaultMessage(
        productId: String,
        locale: String,
        _ request: DefaultConfigurationRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.configureDefaultMessage, path: ["productId": productId, "locale": locale], body: request)
    }

    /// Removes the default message.
    ///
    /// - Parameters:
    ///   - productId: The subscription.
    ///   - locale: For example `en-US`.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; and what every call throws.
    /// - Source: Retention Messaging API, Delete Default Message.
    @discardableResult
    public func deleteDefaultMessage(
        productId: String,
        locale: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.deleteDefaultMessage, path: ["productId": productId, "locale": locale])
    }

    /// Gets the default message.
    ///
    /// - Parameters:
    ///   - productId: The subscription.
    ///   - locale: For example `en-US`.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; and what every call throws.
    /// - Source: Retention Messaging API, Get Default Message.
    public func getDefaultMessage(
        productId: String,
        locale: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<DefaultConfigurationResponse> {
        try await call(.getDefaultMessage, path: ["productId": productId, "locale": locale])
    }
}
