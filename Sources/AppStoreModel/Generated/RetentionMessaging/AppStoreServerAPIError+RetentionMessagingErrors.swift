// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension AppStoreServerAPIError {
    /// Raised for: Upload Image (since Retention Messaging 1.0).
    public static let invalidImage = AppStoreServerAPIError(
        4000161,
        "InvalidImage",
        "The image is invalid.",
        meaning: "Send a PNG without transparency in one of the sizes that Apple asks for."
    )
    /// Raised for: Upload Message (since Retention Messaging 1.0).
    public static let headerTooLong = AppStoreServerAPIError(
        4000162,
        "HeaderTooLong",
        "The header is too long.",
        meaning: "A header has at most 66 characters."
    )
    /// Raised for: Upload Message (since Retention Messaging 1.0).
    public static let bodyTooLong = AppStoreServerAPIError(
        4000163,
        "BodyTooLong",
        "The body is too long.",
        meaning: "A body has at most 144 characters."
    )
    /// Raised for: Configure Default Message, Delete Default Message, Get Default Message (since Retention Messaging
    /// 1.0).
    public static let invalidLocale = AppStoreServerAPIError(
        4000164,
        "InvalidLocale",
        "The locale is invalid.",
        meaning: "Use a locale that the App Store knows, such as en-US."
    )
    /// Raised for: Upload Message (since Retention Messaging 1.0).
    public static let altTextTooLong = AppStoreServerAPIError(
        4000175,
        "AltTextTooLong",
        "The alternative text is too long.",
        meaning: "An alternative text has at most 150 characters."
    )
    /// Raised for: Initiate Performance Test (since Retention Messaging 1.3).
    public static let invalidPerformanceTestRequest = AppStoreServerAPIError(
        4000211,
        "InvalidPerformanceTestRequest",
        "The performance test request is invalid.",
        meaning: "Send the original transaction id of a subscription in sandbox."
    )
    /// Raised for: Get Performance Test Results (since Retention Messaging 1.3).
    public static let invalidRequestId = AppStoreServerAPIError(
        4000212,
        "InvalidRequestId",
        "The request id is invalid.",
        meaning: "Use the id from Initiate Performance Test."
    )
    /// Raised for: Initiate Performance Test (since Retention Messaging 1.3).
    public static let existingPerformanceTestRun = AppStoreServerAPIError(
        4000213,
        "ExistingPerformanceTestRun",
        "A performance test is already running.",
        meaning: "Wait until the running test has ended.",
        retry: .whenReady
    )
    /// Raised for: Configure Realtime URL (since Retention Messaging 1.4).
    public static let badRequestRealtimeUrl = AppStoreServerAPIError(
        4000215,
        "BadRequestRealtimeUrl",
        "The real-time URL is invalid.",
        meaning: "Use an HTTPS URL of at most 256 characters."
    )
    /// Raised for: Upload Image, Upload Message (since Retention Messaging 1.4).
    public static let badRequestImageSize = AppStoreServerAPIError(
        4000216,
        "BadRequestImageSize",
        "The image size is invalid.",
        meaning: "The size is FULL_SIZE or BULLET_POINT, and the image must have the size of its position."
    )
    /// Raised for: Upload Message (since Retention Messaging 1.4).
    public static let badRequestTooManyBulletPoints = AppStoreServerAPIError(
        4000218,
        "BadRequestTooManyBulletPoints",
        "There are too many bullet points.",
        meaning: "A message has at most 5 bullet points."
    )
    /// Raised for: Upload Message (since Retention Messaging 1.4).
    public static let badRequestBulletPointTextTooLong = AppStoreServerAPIError(
        4000219,
        "BadRequestBulletPointTextTooLong",
        "The text of a bullet point is too long.",
        meaning: "The text of a bullet point has at most 66 characters."
    )
    /// Raised for: Upload Message (since Retention Messaging 1.4).
    public static let badRequestAboveImageRequiresAnImage = AppStoreServerAPIError(
        4000224,
        "BadRequestAboveImageRequiresAnImage",
        "The header position needs an image.",
        meaning: "Add an image, or put the header above the body."
    )
    /// Raised for: Upload Image (since Retention Messaging 1.0).
    public static let maximumNumberOfImagesReached = AppStoreServerAPIError(
        4030014,
        "MaximumNumberOfImagesReached",
        "The maximum number of images is reached.",
        meaning: "An app has at most 2000 images: delete some."
    )
    /// Raised for: Upload Message (since Retention Messaging 1.0).
    public static let maximumNumberOfMessagesReached = AppStoreServerAPIError(
        4030016,
        "MaximumNumberOfMessagesReached",
        "The maximum number of messages is reached.",
        meaning: "An app has at most 2000 messages: delete some."
    )
    /// Raised for: Configure Default Message (since Retention Messaging 1.0).
    public static let messageNotApproved = AppStoreServerAPIError(
        4030017,
        "MessageNotApproved",
        "The message is not approved.",
        meaning: "Wait until Apple has approved the message, or correct a rejected one.",
        retry: .whenReady
    )
    /// Raised for: Configure Default Message (since Retention Messaging 1.0).
    public static let imageNotApproved = AppStoreServerAPIError(
        4030018,
        "ImageNotApproved",
        "The image is not approved.",
        meaning: "Wait until Apple has approved the image of the message, or replace a rejected one.",
        retry: .whenReady
    )
    /// Raised for: Delete Image (since Retention Messaging 1.0).
    public static let imageInUse = AppStoreServerAPIError(
        4030019,
        "ImageInUse",
        "The image is in use.",
        meaning: "Delete the messages that show the image first."
    )
    /// Raised for: Configure Realtime URL (since Retention Messaging 1.4).
    public static let forbiddenNoPassingTest = AppStoreServerAPIError(
        4030026,
        "ForbiddenNoPassingTest",
        "No performance test has passed.",
        meaning: "Pass a performance test in sandbox before you set a URL for production."
    )
    /// Raised for: Delete Image (since Retention Messaging 1.0).
    public static let imageNotFound = AppStoreServerAPIError(
        4040014,
        "ImageNotFound",
        "The image is not found.",
        meaning: "No image was uploaded under this identifier, or it is deleted already."
    )
    /// Raised for: Delete Message, Configure Default Message (since Retention Messaging 1.0).
    public static let messageNotFound = AppStoreServerAPIError(
        4040015,
        "MessageNotFound",
        "The message is not found.",
        meaning: "No message was uploaded under this identifier, or it is deleted already."
    )
    /// Raised for: Get Performance Test Results (since Retention Messaging 1.3).
    public static let performanceTestRunNotFound = AppStoreServerAPIError(
        4040018,
        "PerformanceTestRunNotFound",
        "The performance test is not found.",
        meaning: "No test was started under this id."
    )
    /// Raised for: Get Default Message (since Retention Messaging 1.4).
    public static let defaultMessageNotFound = AppStoreServerAPIError(
        4040020,
        "DefaultMessageNotFound",
        "The default message is not found.",
        meaning: "No default message is set for this product and locale."
    )
    /// Raised for: Get Realtime URL, Delete Realtime URL (since Retention Messaging 1.4).
    public static let realtimeUrlNotFound = AppStoreServerAPIError(
        4040021,
        "RealtimeUrlNotFound",
        "The real-time URL is not found.",
        meaning: "No URL is set in this environment."
    )
    /// Raised for: Upload Image (since Retention Messaging 1.0).
    public static let imageAlreadyExists = AppStoreServerAPIError(
        4090000,
        "ImageAlreadyExists",
        "The image identifier already exists.",
        meaning: "Do not repeat the upload: this identifier already has an image."
    )
    /// Raised for: Upload Message (since Retention Messaging 1.0).
    public static let messageAlreadyExists = AppStoreServerAPIError(
        4090001,
        "MessageAlreadyExists",
        "The message identifier already exists.",
        meaning: "Do not repeat the upload: this identifier already has a message."
    )

    static let retentionMessagingErrors: [AppStoreServerAPIError] = [
        .invalidImage, .headerTooLong, .bodyTooLong, .invalidLocale, .altTextTooLong, .invalidPerformanceTestRequest,
        .invalidRequestId, .existingPerformanceTestRun, .badRequestRealtimeUrl, .badRequestImageSize,
        .badRequestTooManyBulletPoints, .badRequestBulletPointTextTooLong, .badRequestAboveImageRequiresAnImage,
        .maximumNumberOfImagesReached, .maximumNumberOfMessagesReached, .messageNotApproved, .imageNotApproved,
        .imageInUse, .forbiddenNoPassingTest, .imageNotFound, .messageNotFound, .performanceTestRunNotFound,
        .defaultMessageNotFound, .realtimeUrlNotFound, .imageAlreadyExists, .messageAlreadyExists,
    ]
}
