public import AppStoreModel

extension LocalAppStore {
    /// All data that the developer uploaded and configured for Retention Messaging.
    public var retentionReport: RetentionReport {
        RetentionReport(
            images: retention.images,
            messages: retention.messages,
            defaultMessages: retention.defaultMessages,
            realtimeURL: retention.realtimeURL,
            hasPassedPerformanceTest: retention.hasPassedPerformanceTest
        )
    }

    /// Sets the result of Apple's review of an image.
    ///
    /// - Throws: `image_not_found`, `review_state_unknown`.
    public mutating func reviewImage(_ imageIdentifier: String, state: ImageState) throws(StoreError) {
        try Self.checkReview(state.isDocumented, state.rawValue)
        guard retention.review(image: imageIdentifier.lowercased(), state: state) else {
            let message = "There is no image \"\(imageIdentifier)\"; Apple's Upload Image makes one."
            throw StoreError(.imageNotFound, message)
        }
    }

    /// Sets the result of Apple's review of a message; an unapproved default is not shown.
    ///
    /// - Throws: `message_not_found`, `review_state_unknown`.
    public mutating func reviewMessage(_ messageIdentifier: String, state: MessageState) throws(StoreError) {
        try Self.checkReview(state.isDocumented, state.rawValue)
        guard retention.review(message: messageIdentifier.lowercased(), state: state) else {
            let message = "There is no message \"\(messageIdentifier)\"; Apple's Upload Message makes one."
            throw StoreError(.messageNotFound, message)
        }
    }

    /// Sets whether the developer's URL has passed a performance test in the sandbox, which production requires.
    public mutating func setPassedPerformanceTest(_ hasPassed: Bool) { retention.hasPassedPerformanceTest = hasPassed }

    private static func checkReview(_ isDocumented: Bool, _ state: String) throws(StoreError) {
        guard !isDocumented else { return }
        let states = ImageState.documented.map(\.rawValue).joined(separator: ", ")
        let message = "\"\(state)\" is no state of a review; use one of \(states)."
        throw StoreError(.reviewStateUnknown, message, path: "state")
    }
}

/// All data that the developer uploaded and configured for Retention Messaging.
public struct RetentionReport: Hashable, Sendable {
    /// In the order of upload.
    public let images: [RetentionImage]
    /// In the order of upload.
    public let messages: [RetentionMessage]
    /// Ordered by product and locale.
    public let defaultMessages: [DefaultRetentionMessage]
    /// The URL of realtime requests; absent if there is none.
    public let realtimeURL: String?
    /// Whether the developer's URL has passed a performance test in the sandbox.
    public let hasPassedPerformanceTest: Bool
}

extension StoreError.Code {
    /// No image has this identifier.
    public static let imageNotFound = Self("image_not_found", .notFound)
    /// No message has this identifier.
    public static let messageNotFound = Self("message_not_found", .notFound)
    /// The error for an unknown review state.
    public static let reviewStateUnknown = Self("review_state_unknown", .invalid)
}
