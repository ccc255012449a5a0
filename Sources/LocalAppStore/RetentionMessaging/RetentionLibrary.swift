public import AppStoreModel

/// An image that the developer uploaded for messages; the store keeps its dimensions, not its pixels.
public struct RetentionImage: Hashable, Sendable, Codable {
    /// The developer's identifier, a UUID in lower case.
    public let imageIdentifier: String
    /// Its purpose.
    public let imageSize: ImageSize
    /// Its width, in pixels.
    public let widthPixels: Int
    /// Its height, in pixels.
    public let heightPixels: Int
    /// The length of its file, in bytes.
    public let fileBytes: Int
    /// The state of its review.
    public internal(set) var state: ImageState
}

/// A message that the developer uploaded.
public struct RetentionMessage: Hashable, Sendable, Codable {
    /// The developer's identifier, a UUID in lower case.
    public let messageIdentifier: String
    /// The content.
    public let content: UploadMessageRequestBody
    /// The state of its review.
    public internal(set) var state: MessageState

    /// The images of the message, in lower case; one may appear twice.
    var imageIdentifiers: [String] {
        let points = content.bulletPoints ?? []
        return ([content.image?.imageIdentifier].compactMap(\.self) + points.map(\.imageIdentifier))
            .map { $0.lowercased() }
    }
}

/// The default message for a product in a locale without a realtime answer.
public struct DefaultRetentionMessage: Hashable, Sendable {
    /// The subscription product.
    public let productId: String
    /// The customer's locale.
    public let locale: String
    /// The message.
    public let messageIdentifier: String
}

/// All data that the developer uploaded and configured for Retention Messaging.
struct RetentionLibrary: Sendable, Codable {
    /// In the order of upload.
    private(set) var images: [RetentionImage] = []
    /// In the order of upload.
    private(set) var messages: [RetentionMessage] = []
    /// Message identifiers by product, then by locale.
    private var defaults: [String: [String: String]] = [:]
    /// The URL of realtime requests.
    var realtimeURL: String?
    /// Whether the developer's URL has passed a performance test in the sandbox.
    var hasPassedPerformanceTest = false
    /// In the order of their start.
    var performanceTests: [PerformanceTestRun] = []

    func image(_ identifier: String) -> RetentionImage? { images.first { $0.imageIdentifier == identifier } }

    func message(_ identifier: String) -> RetentionMessage? { messages.first { $0.messageIdentifier == identifier } }

    /// Whether any message uses an image.
    func isInUse(image identifier: String) -> Bool {
        messages.contains { $0.imageIdentifiers.contains(identifier) }
    }

    /// Whether all images of a message are approved.
    func hasApprovedImages(_ message: RetentionMessage) -> Bool {
        message.imageIdentifiers.allSatisfy { image($0)?.state == .approved }
    }

    mutating func append(_ image: RetentionImage) { images.append(image) }

    mutating func append(_ message: RetentionMessage) { messages.append(message) }

    mutating func removeImage(_ identifier: String) { images.removeAll { $0.imageIdentifier == identifier } }

    /// Removes a message, and the defaults that refer to it.
    mutating func removeMessage(_ identifier: String) {
        messages.removeAll { $0.messageIdentifier == identifier }
        defaults = defaults.mapValues { $0.filter { $0.value != identifier } }
    }

    /// Sets the review state of an image; returns whether it exists.
    mutating func review(image identifier: String, state: ImageState) -> Bool {
        guard let position = images.firstIndex(where: { $0.imageIdentifier == identifier }) else { return false }
        images[position].state = state
        return true
    }

    /// Sets the review state of a message; returns whether it exists.
    mutating func review(message identifier: String, state: MessageState) -> Bool {
        guard let position = messages.firstIndex(where: { $0.messageIdentifier == identifier }) else { return false }
        messages[position].state = state
        return true
    }

    /// The default message of a product in a locale.
    func defaultMessage(of productId: String, in locale: String) -> String? { defaults[productId]?[locale] }

    /// Sets or removes the default message of a product in a locale.
    mutating func setDefaultMessage(_ identifier: String?, of productId: String, in locale: String) {
        defaults[productId, default: [:]][locale] = identifier
    }

    /// All default messages, ordered by product and locale.
    var defaultMessages: [DefaultRetentionMessage] {
        defaults.flatMap { productId, messages in
            messages.map { DefaultRetentionMessage(productId: productId, locale: $0.key, messageIdentifier: $0.value) }
        }
        .sorted { ($0.productId, $0.locale) < ($1.productId, $1.locale) }
    }
}

/// The form of a locale: a language, an optional script, and an optional region, as in `en-US` or `zh-Hant`.
enum LocaleForm {
    /// The locale in its canonical case; `nil` if its form is invalid.
    static func canonical(_ text: String) -> String? {
        var parts = text.split(separator: "-", omittingEmptySubsequences: false)[...]
        guard let language = parts.popFirst(), (2...3).contains(language.utf8.count), language.isLatin else {
            return nil
        }
        var canonical = language.lowercased()
        if let script = parts.first, script.utf8.count == 4, script.isLatin {
            canonical += "-" + script.capitalizedASCII
            parts = parts.dropFirst()
        }
        if let region = parts.first {
            let isCountry = region.utf8.count == 2 && region.isLatin
            let isArea = region.utf8.count == 3 && region.utf8.allSatisfy { (0x30...0x39).contains($0) }
            guard isCountry || isArea else { return nil }
            canonical += "-" + region.uppercased()
            parts = parts.dropFirst()
        }
        return parts.isEmpty ? canonical : nil
    }
}

extension Substring {
    fileprivate var isLatin: Bool { utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) } }

    fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
