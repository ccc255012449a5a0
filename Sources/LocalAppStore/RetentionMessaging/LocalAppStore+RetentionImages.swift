public import AppStoreModel
import PerennialPrimitives

extension LocalAppStore {
    /// Uploads an image for messages. In the sandbox it is approved at once, in production its review is pending.
    ///
    /// - Parameters:
    ///   - imageIdentifier: The developer's UUID.
    ///   - imageSize: The purpose, in the form of the query; the default is `FULL_SIZE`.
    ///   - file: The PNG.
    /// - Source: Retention Messaging API, Upload Image.
    /// - Throws: One of `AppStoreServerCall.uploadImage.errors`, or 4000000 for an invalid UUID.
    public mutating func uploadImage(
        _ imageIdentifier: String,
        imageSize: String? = nil,
        file: [UInt8]
    ) throws(AppStoreServerAPIError) {
        let identifier = try Self.retentionIdentifier(imageIdentifier)
        let size = imageSize.map(ImageSize.init(rawValue:)) ?? .fullSize
        guard size.isDocumented else { throw .badRequestImageSize }
        guard let image = PNGImage(file: file), !image.hasTransparency, image.fits(size) else { throw .invalidImage }
        guard retention.image(identifier) == nil else { throw .imageAlreadyExists }
        guard retention.images.count < RetentionMessagingLimits.imagesMax else { throw .maximumNumberOfImagesReached }
        retention.append(
            RetentionImage(
                imageIdentifier: identifier,
                imageSize: size,
                widthPixels: image.widthPixels,
                heightPixels: image.heightPixels,
                fileBytes: file.count,
                state: configuration.environment == .sandbox ? .approved : .pending
            )
        )
    }

    /// Removes an image that no message uses.
    ///
    /// - Source: Retention Messaging API, Delete Image.
    /// - Throws: One of `AppStoreServerCall.deleteImage.errors`, or 4000000 for an invalid UUID.
    public mutating func deleteImage(_ imageIdentifier: String) throws(AppStoreServerAPIError) {
        let identifier = try Self.retentionIdentifier(imageIdentifier)
        guard retention.image(identifier) != nil else { throw .imageNotFound }
        guard !retention.isInUse(image: identifier) else { throw .imageInUse }
        retention.removeImage(identifier)
    }

    /// All images with their review states, oldest first.
    ///
    /// - Source: Retention Messaging API, Get Image List.
    public var imageList: GetImageListResponse {
        GetImageListResponse(
            imageIdentifiers: retention.images.map {
                GetImageListResponseItem(
                    imageIdentifier: $0.imageIdentifier,
                    imageState: $0.state,
                    imageSize: $0.imageSize
                )
            }
        )
    }

    /// An identifier of an image or a message in lower case.
    ///
    /// - Throws: 4000000 for an invalid UUID; Apple publishes no error for it.
    static func retentionIdentifier(_ text: String) throws(AppStoreServerAPIError) -> String {
        guard text.isUUID else { throw .generalBadRequest }
        return text.lowercased()
    }
}

extension PNGImage {
    /// Whether the image has the dimensions of its purpose.
    fileprivate func fits(_ size: ImageSize) -> Bool {
        if size == .bulletPoint {
            let edge = RetentionMessagingLimits.bulletPointEdgePixels
            return widthPixels == edge && heightPixels == edge
        }
        return widthPixels == RetentionMessagingLimits.fullSizeWidthPixels
            && RetentionMessagingLimits.fullSizeHeightPixels.contains(heightPixels)
    }
}
