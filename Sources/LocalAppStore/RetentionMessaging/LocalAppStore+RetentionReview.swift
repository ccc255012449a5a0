public import AppStoreModel

extension LocalAppStore {
    /// Everything that the developer uploaded and set for Retention Messaging.
    public var retentionReport: RetentionReport {
        RetentionReport(
            images: retention.images,
            messages: retention.messages,
            defaultMessages: retention.defaultMessages,
            realtimeURL: retention.realtimeURL,
            hasPassedPerformanceTest: retention.hasPassedPerformanceTest
        )
    }

    /// Decides Apple's review of an image.
    ///
    /// - Throws: `image_not_found`, `review_state_unknown`.
    public mutating func reviewImage(_ imageIdentifier: String, state: ImageState) throws(StoreError) {
        try Self.checkReview(state.isDocumented, state.rawValue)
        guard retention.review(image: imageIdentifier.lowercased(), state: state) else {
            let message = "There is no image \"\(imageIdentifier)\"; Apple's Upload Image makes one."
            throw StoreError(.imageNotFound, kind: .notFound, message: message)
        }
    }

    /// Decides Apple's review of a message; a default that is not approved any more is not shown.
    ///
    /// - Throws: `message_not_found`, `review_state_unknown`.
    public mutating func reviewMessage(_ messageIdentifier: String, state: MessageState) throws(StoreError) {
        try Self.checkReview(state.isDocumented, state.rawValue)
        guard retention.review(message: messageIdentifier.lowercased(), state: state) else {
            let message = "There is no message \"\(messageIdentifier)\"; Apple's Upload Message makes one."
            throw StoreError(.messageNotFound, kind: .notFound, message: message)
        }
    }

    /// Says whether the developer's URL has passed a performance test in the sandbox, which production asks for.
    public mutating func setPassedPerformanceTest(_ hasPassed: Bool) { retention.hasPassedPerformanceTest = hasPassed }

    private static func checkReview(_ isDocumented: Bool, _ state: String) throws(StoreError) {
        guard !isDocumented else { return }
        let states = ImageState.documented.map(\.rawValue).joined(separator: ", ")
        let message = "\"\(state)\" is no state of a review; use one of \(states)."
        throw StoreError(.reviewStateUnknown, kind: .invalid, message: message, path: "state")
    }
}

/// Everything that the developer uploaded and set for Retention Messaging.
public struct RetentionReport: Hashable, Sendable {
    /// In the order of their uploads.
    public let images: [RetentionImage]
    /// In the order of their uploads.
    public let messages: [RetentionMessage]
    /// Ordered by product and locale.
    public let defaultMessages: [DefaultRetentionMessage]
    /// Where real-time requests go; absent when none are made.
    public let realtimeURL: String?
    /// Whether the developer's URL has passed a performance test in the sandbox.
    public let hasPassedPerformanceTest: Bool
}

extension StoreError.Code {
    /// No image has this identifier.
    public static let imageNotFound = Self(rawValue: "image_not_found")
    /// No message has this identifier.
    public static let messageNotFound = Self(rawValue: "message_not_found")
    /// A review has no such state.
    public static let reviewStateUnknown = Self(rawValue: "review_state_unknown")
}
