public import AppStoreModel

// Image upload of the Retention Messaging API: the only call that does not send JSON.
extension AppStoreServerAPIClient.App {
    /// Uploads an image; Apple reviews it, the sandbox approves it at once.
    ///
    /// A PNG without transparency: 3840 pixels wide and 160 to 2160 high, or 1024 by 1024 for a bullet point. The limit
    /// is 2000 images. An identifier can be used once, so the call is not retried if the first attempt may have been
    /// received.
    ///
    /// - Parameters:
    ///   - imageIdentifier: A new UUID.
    ///   - png: The content of the file.
    ///   - imageSize: The purpose of the image; nil means full size.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; and what every call throws.
    /// - Source: Retention Messaging API, Upload Image.
    @discardableResult
    public func uploadImage(
        imageIdentifier: String,
        png: [UInt8],
        imageSize: ImageSize? = nil
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await perform(
            .uploadImage,
            path: ["imageIdentifier": imageIdentifier],
            query: QueryItem.items("imageSize", imageSize?.rawValue),
            body: png
        ).replacing(NoContent())
    }
}
