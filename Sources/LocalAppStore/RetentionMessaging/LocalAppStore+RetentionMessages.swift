public import AppStoreModel

extension LocalAppStore {
    /// Uploads a message. In the sandbox it is approved at once, in production its review is pending.
    ///
    /// - Parameters:
    ///   - messageIdentifier: The developer's UUID.
    ///   - request: The content.
    /// - Source: Retention Messaging API, Upload Message.
    /// - Throws: One of `AppStoreServerCall.uploadMessage.errors`, or 4000000 for an invalid UUID.
    public mutating func uploadMessage(
        _ messageIdentifier: String,
        request: UploadMessageRequestBody
    ) throws(AppStoreServerAPIError) {
        let identifier = try Self.retentionIdentifier(messageIdentifier)
        try request.checkAsApple()
        if let image = request.image { try checkImage(image.imageIdentifier, isOf: .fullSize) }
        for point in request.bulletPoints ?? [] { try checkImage(point.imageIdentifier, isOf: .bulletPoint) }
        guard retention.message(identifier) == nil else { throw .messageAlreadyExists }
        guard retention.messages.count < RetentionMessagingLimits.messagesMax else {
            throw .maximumNumberOfMessagesReached
        }
        var content = request
        content.unknownFields = JSONObject()
        retention.append(
            RetentionMessage(
                messageIdentifier: identifier,
                content: content,
                state: configuration.environment == .sandbox ? .approved : .pending
            )
        )
    }

    /// Removes a message, and the defaults that refer to it.
    ///
    /// - Source: Retention Messaging API, Delete Message.
    /// - Throws: One of `AppStoreServerCall.deleteMessage.errors`, or 4000000 for an invalid UUID.
    public mutating func deleteMessage(_ messageIdentifier: String) throws(AppStoreServerAPIError) {
        let identifier = try Self.retentionIdentifier(messageIdentifier)
        guard retention.message(identifier) != nil else { throw .messageNotFound }
        retention.removeMessage(identifier)
    }

    /// All messages with their review states, oldest first.
    ///
    /// - Source: Retention Messaging API, Get Message List.
    public var messageList: GetMessageListResponse {
        GetMessageListResponse(
            messageIdentifiers: retention.messages.map {
                GetMessageListResponseItem(messageIdentifier: $0.messageIdentifier, messageState: $0.state)
            }
        )
    }

    private func checkImage(_ identifier: String, isOf size: ImageSize) throws(AppStoreServerAPIError) {
        guard let image = retention.image(try Self.retentionIdentifier(identifier)) else { throw .imageNotFound }
        guard image.imageSize == size else { throw .badRequestImageSize }
    }
}

extension UploadMessageRequestBody {
    /// Reads the body of Upload Message.
    ///
    /// - Throws: Apple's error for the invalid field.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(appleBody: json, orThrow: { _ in .generalBadRequest })
    }

    /// Checks lengths and numbers, in the order of the fields.
    fileprivate func checkAsApple() throws(AppStoreServerAPIError) {
        typealias Limits = RetentionMessagingLimits
        guard header.isAtMost(Limits.headerCharactersMax) else { throw .headerTooLong }
        guard body.isAtMost(Limits.bodyCharactersMax) else { throw .bodyTooLong }
        guard image?.altText.isAtMost(Limits.altTextCharactersMax) ?? true else { throw .altTextTooLong }
        guard headerPosition?.isDocumented ?? true else { throw .generalBadRequest }
        guard headerPosition != .aboveImage || image != nil else { throw .badRequestAboveImageRequiresAnImage }
        let points = bulletPoints ?? []
        guard points.count <= Limits.bulletPointsMax else { throw .badRequestTooManyBulletPoints }
        for point in points {
            guard point.text.isAtMost(Limits.bulletPointTextCharactersMax) else {
                throw .badRequestBulletPointTextTooLong
            }
            guard point.altText.isAtMost(Limits.altTextCharactersMax) else { throw .altTextTooLong }
        }
    }
}

extension String {
    /// Whether the text has at most this many Unicode scalars.
    fileprivate func isAtMost(_ length: Int) -> Bool { unicodeScalars.count <= length }
}
