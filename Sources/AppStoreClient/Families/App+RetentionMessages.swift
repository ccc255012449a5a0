public import AppStoreModel

// The calls about messages, images and default messages of the Retention Messaging API.
extension AppStoreServerAPIClient.App {
    /// Deletes an image that no message uses.
    ///
    /// - Parameter imageIdentifier: The image.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with 4030019 ImageInUse, 4040014 ImageNotFound; and what every call throws.
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
        try await get(.getImageList)
    }

    /// Uploads a message; Apple reviews it, sandbox approves at once.
    ///
    /// There can be 2000. An identifier can be used once, so the call is not repeated where the first may have been
    /// received.
    ///
    /// - Parameters:
    ///   - messageIdentifier: A new UUID of one's own.
    ///   - request: The message.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with 4000162 HeaderTooLong, 4000163 BodyTooLong, 4000175 AltTextTooLong, 4000216
    ///   BadRequestImageSize, 4000218 BadRequestTooManyBulletPoints, 4000219 BadRequestBulletPointTextTooLong,
    ///   4000224 BadRequestAboveImageRequiresAnImage, 4030016 MaximumNumberOfMessagesReached, 4090001
    ///   MessageAlreadyExists; and what every call throws.
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
    /// - Throws: `refused` with 4040015 MessageNotFound; and what every call throws.
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
        try await get(.getMessageList)
    }

    /// Sets, or replaces, the message that is shown when there is no answer in real time.
    ///
    /// - Parameters:
    ///   - productId: The subscription.
    ///   - locale: Such as `en-US`.
    ///   - request: The message, approved.
    /// - Rate limit: 10/s in production, 1/s in sandbox.
    /// - Throws: `refused` with 4000023 InvalidProductId, 4000164 InvalidLocale, 4030017 MessageNotApproved, 4030018
    ///   ImageNotApproved, 4040015 MessageNotFound; and what every call throws.
    /// - Source: Retention Messaging API, Configure Default Message.
    @discardableResult
    public func configureDefaultMessage(
        productId: String,
        locale: String,
        _ request: DefaultConfigurationRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.configureDefaultMessage, path: ["productId": productId, "locale": locale], body: request)
    }

    /// Takes the default message away.
    ///
    /// - Parameters:
    ///   - productId: The subscription.
    ///   - locale: Such as `en-US`.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with 4000023 InvalidProductId, 4000164 InvalidLocale; and what every call throws.
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
    ///   - locale: Such as `en-US`.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with 4000023 InvalidProductId, 4000164 InvalidLocale, 4040020 DefaultMessageNotFound; and
    ///   what every call throws.
    /// - Source: Retention Messaging API, Get Default Message.
    public func getDefaultMessage(
        productId: String,
        locale: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<DefaultConfigurationResponse> {
        try await get(.getDefaultMessage, path: ["productId": productId, "locale": locale])
    }
}
