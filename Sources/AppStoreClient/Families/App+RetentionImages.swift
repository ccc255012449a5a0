public import AppStoreModel

// Upload of images for the Retention Messaging API: the one call that does not send JSON.
extension AppStoreServerAPIClient.App {
    /// Uploads an image; Apple reviews it, sandbox approves at once.
    ///
    /// A PNG without transparency: 3840 pixels wide and 160 to 2160 high, or 1024 by 1024 for a bullet point. There can
    /// be 2000. An identifier can be used once, so the call is not repeated where the first may have been received.
    ///
    /// - Parameters:
    ///   - imageIdentifier: A new UUID of one's own.
    ///   - png: The file's bytes.
    ///   - imageSize: What the image is for; Apple takes nil for the full size.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with 4000161 InvalidImage, 4000216 BadRequestImageSize, 4030014
    ///   MaximumNumberOfImagesReached, 4090000 ImageAlreadyExists; and what every call throws.
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
