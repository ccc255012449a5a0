public import AppStoreModel

/// An image that the developer uploaded for messages; the store keeps what it measures, not its pixels.
public struct RetentionImage: Hashable, Sendable, Codable {
    /// The developer's name for it, a UUID in lower case.
    public let imageIdentifier: String
    /// What it is for.
    public let imageSize: ImageSize
    /// Its width, in pixels.
    public let widthPixels: Int
    /// Its height, in pixels.
    public let heightPixels: Int
    /// The length of its file, in bytes.
    public let fileBytes: Int
    /// How far its review is.
    public internal(set) var state: ImageState
}

/// A message that the developer uploaded.
public struct RetentionMessage: Hashable, Sendable, Codable {
    /// The developer's name for it, a UUID in lower case.
    public let messageIdentifier: String
    /// What it says and shows.
    public let content: UploadMessageRequestBody
    /// How far its review is.
    public internal(set) var state: MessageState

    /// The images that it shows, each in lower case; one may stand twice.
    var imageIdentifiers: [String] {
        let points = content.bulletPoints ?? []
        return ([content.image?.imageIdentifier].compactMap(\.self) + points.map(\.imageIdentifier))
            .map { $0.lowercased() }
    }
}

/// A message that is shown for a product in a locale where nothing comes in real time.
public struct DefaultRetentionMessage: Hashable, Sendable {
    /// The subscription product.
    public let productId: String
    /// The customer's language and region.
    public let locale: String
    /// The message.
    public let messageIdentifier: String
}

/// Everything that the developer uploaded and set for Retention Messaging.
struct RetentionLibrary: Sendable, Codable {
    /// In the order of their uploads.
    private(set) var images: [RetentionImage] = []
    /// In the order of their uploads.
    private(set) var messages: [RetentionMessage] = []
    /// Message identifiers by product, then by locale.
    private var defaults: [String: [String: String]] = [:]
    /// Where real-time requests go.
    var realtimeURL: String?
    /// Whether the developer's URL has passed a performance test in the sandbox.
    var hasPassedPerformanceTest = false
    /// In the order of their beginnings.
    var performanceTests: [PerformanceTestRun] = []

    func image(_ identifier: String) -> RetentionImage? { images.first { $0.imageIdentifier == identifier } }

    func message(_ identifier: String) -> RetentionMessage? { messages.first { $0.messageIdentifier == identifier } }

    /// Whether any message shows an image.
    func isInUse(image identifier: String) -> Bool {
        messages.contains { $0.imageIdentifiers.contains(identifier) }
    }

    /// Whether every image that a message shows is approved.
    func hasApprovedImages(_ message: RetentionMessage) -> Bool {
        message.imageIdentifiers.allSatisfy { image($0)?.state == .approved }
    }

    mutating func append(_ image: RetentionImage) { images.append(image) }

    mutating func append(_ message: RetentionMessage) { messages.append(message) }

    mutating func removeImage(_ identifier: String) { images.removeAll { $0.imageIdentifier == identifier } }

    /// Removes a message, also where it is a default.
    mutating func removeMessage(_ identifier: String) {
        messages.removeAll { $0.messageIdentifier == identifier }
        defaults = defaults.mapValues { $0.filter { $0.value != identifier } }
    }

    /// Sets how far the review of an image is; whether there is such an image.
    mutating func review(image identifier: String, state: ImageState) -> Bool {
        guard let position = images.firstIndex(where: { $0.imageIdentifier == identifier }) else { return false }
        images[position].state = state
        return true
    }

    /// Sets how far the review of a message is; whether there is such a message.
    mutating func review(message identifier: String, state: MessageState) -> Bool {
        guard let position = messages.firstIndex(where: { $0.messageIdentifier == identifier }) else { return false }
        messages[position].state = state
        return true
    }

    /// The default message of a product in a locale.
    func defaultMessage(of productId: String, in locale: String) -> String? { defaults[productId]?[locale] }

    /// Sets the default message of a product in a locale, or takes it away.
    mutating func setDefaultMessage(_ identifier: String?, of productId: String, in locale: String) {
        defaults[productId, default: [:]][locale] = identifier
    }

    /// Every default message, ordered by product and locale.
    var defaultMessages: [DefaultRetentionMessage] {
        defaults.flatMap { productId, messages in
            messages.map { DefaultRetentionMessage(productId: productId, locale: $0.key, messageIdentifier: $0.value) }
        }
        .sorted { ($0.productId, $0.locale) < ($1.productId, $1.locale) }
    }
}

/// The form of a locale: a language, perhaps a script, perhaps a region, as in `en-US` or `zh-Hant`.
enum LocaleForm {
    /// The locale in its usual case; `nil` when it is none by its form.
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
